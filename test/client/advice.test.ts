import { expect, test } from "vitest";
import { withoutPulumi } from "../../provider/client/advice.ts";

test.for([
  [
    "Cannot destroy cluster c-1: deletionProtection is on. First set deletionProtection: false and run pulumi up, then destroy it",
    "Cannot destroy cluster c-1: deletionProtection is on. First set deletionProtection: false",
  ],
  [
    "The destroy was accepted and goes on at the server: run pulumi destroy again, or pulumi refresh before the next up",
    "The destroy was accepted and goes on at the server",
  ],
  [
    "cluster c-1 is FAILED. Run pulumi up to replace the cluster, or pulumi destroy to remove it; before that, unprotect it",
    "cluster c-1 is FAILED. Destroy it, then create it anew; before that, unprotect it",
  ],
  ["nothing is billed; run pulumi up to try again", "nothing is billed"],
  [
    "could not be destroyed and is still billed; run pulumi destroy again",
    "could not be destroyed and is still billed",
  ],
  ["Look for it, destroy it there, then run pulumi state delete", "Look for it, destroy it there"],
  ["its id is not known yet. Run pulumi refresh, then pulumi up", "its id is not known yet"],
  [
    'the API has this publicKey already, as k-1. To use that one, add adopt: "k-1"; a pulumi destroy then removes it',
    "the API has this publicKey already, as k-1",
  ],
  [
    `c-1 has this name already. If it is this resource's own, from an interrupted run, add adopt: "c-1" to take it over; else give another name, or destroy it`,
    "c-1 has this name already. Give another name, or destroy it",
  ],
  ["Cannot use name: it is empty", "Cannot use name: it is empty"],
] as const)("withoutPulumi() leaves what is of use when a message says %j", ([message, left]) => {
  expect(withoutPulumi(message)).toBe(left);
});
