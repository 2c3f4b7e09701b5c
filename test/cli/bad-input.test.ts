import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

/** The engine stops at the first resource with failures, so each entry is one resource, with all that is wrong in it. */
const WRONG: readonly (readonly [statement: string, ...words: string[]])[] = [
  [
    'new Cluster("x", { instanceType: "8H100", numNodes: 0, name: "", instanceTyp: "8xH100", contianer: "pytorch" });',
    'Cannot use instanceType "8H100": expected a count, "x" and an accelerator, such as 8xH100',
    "Cannot use numNodes 0: expected a whole number of nodes, 1 or more, such as 2",
    'Cannot use name "": expected a text of 1 to 128 characters without control characters',
    "Cannot go without a key: expected sshKeyId (the id of a registered SSH key), publicKeys, or both",
    "Cannot use instanceTyp: Cluster has no such argument; did you mean instanceType?",
    "Cannot use contianer: Cluster has no such argument; did you mean container?",
  ],
  [
    'new Cluster("x", { instanceType: "0xH100", numNodes: 1.5, name: "a\\u0007b", publicKeys: [], sshKeyId: "c-1" });',
    'Cannot use instanceType "0xH100": expected a count',
    "Cannot use numNodes 1.5: expected a whole number",
    "expected a text of 1 to 128 characters without control characters",
    "Cannot use publicKeys []: expected a list of OpenSSH public keys, at least one",
    'Cannot use sshKeyId "c-1": expected the id of a registered SSH key',
  ],
  ['new Cluster("x", { numNodes: -1, publicKeys });', "Cannot go without instanceType", "Cannot use numNodes -1"],
  [
    'new StorageVolume("x", { sizeGb: 0, name: "n".repeat(129), sizeGB: 2 });',
    "Cannot use sizeGb 0: expected a whole number of GB, 1 or more, such as 500",
    'Cannot use name "nnn',
    "Cannot use sizeGB: StorageVolume has no such argument; did you mean sizeGb?",
  ],
  ['new StorageVolume("x", { sizeGb: -5 });', "Cannot use sizeGb -5: expected a whole number of GB"],
  ['new StorageVolume("x", { sizeGb: 1.5 });', "Cannot use sizeGb 1.5: expected a whole number of GB"],
  [
    'new StorageVolume("x", { sizeGb: Number.NaN, maxHourlyUsd: Number.NaN });',
    "Cannot use sizeGb NaN: expected a whole number of GB",
    "Cannot use maxHourlyUsd NaN: expected a number of US dollars an hour",
  ],
  [
    'new StorageAttachment("x", { clusterId: "s-123", storageId: "c-123" });',
    'Cannot use clusterId "s-123": expected the id of a cluster, such as c-…; this one is a storage volume\'s',
    'Cannot use storageId "c-123": expected the id of a storage volume, such as s-…; this one is a cluster\'s',
  ],
  [
    'new SshKey("x", { publicKey: "-----BEGIN OPENSSH PRIVATE KEY-----", publickey: "" });',
    "Cannot use publicKey (a private key, which is never to be sent): expected an OpenSSH public key on one line",
    "Cannot use publickey: SshKey has no such argument; did you mean publicKey?",
  ],
];

test("every wrong argument of a resource is told at once, in words to act on, and nothing is sent", async () => {
  await using scene = await openScene("");
  for (const [statement, ...words] of WRONG) {
    await scene.write(statement);
    const { code, output } = await scene.stack.up();
    expect(code).not.toBe(0);
    for (const one of words) expect(output).toContain(one);
  }
  expect(scene.api.ledger().requests).toEqual([]);
  expect(await scene.resources()).toEqual([]);
});

test("a well-formed instance type that this release does not know is a warning, and the API decides", async () => {
  await using scene = await openScene(`new Cluster("x", { instanceType: "8xH201", publicKeys });`);
  const warning =
    'instanceType "8xH201" is not among those this release knows (did you mean 8xH200?); it is sent, and the API decides';
  const preview = await scene.stack.preview([], { check: true });
  expect(preview.output).toContain(warning);
  const { code, output } = await scene.stack.up();
  expect(code).not.toBe(0);
  expect(output).toContain(warning);
  expect(output).toContain("Unknown instance type 8xH201");
  expect(scene.sent()).toEqual(["POST /cluster/create"]);
  expect(scene.bought()).toEqual([]);
});
