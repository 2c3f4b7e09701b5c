import { Bucket, Cluster, SshKey, StorageAttachment, StorageVolume } from "pulumi-tensorpool";
import { expect, test } from "vitest";
import { runProgram, valueOf } from "./program.ts";

const CLASSES = {
  cluster: Cluster,
  storageVolume: StorageVolume,
  storageAttachment: StorageAttachment,
  sshKey: SshKey,
  bucket: Bucket,
};

test.for(Object.entries(CLASSES))("%s: get() reads by id, with nothing but the frozen text", async ([kind, Class]) => {
  const { registrations, result } = await runProgram(() => Class.get("theirs", "c-1"));
  expect(registrations).toHaveLength(1);
  expect(registrations[0]).toMatchObject({
    name: "theirs",
    isRead: true,
    inputs: { __provider: `exports.handler=()=>require("pulumi-tensorpool/provider").${kind}` },
    request: { id: "c-1" },
  });
  expect(Object.keys(registrations[0]?.inputs ?? {})).toEqual(["__provider"]);
  expect(result).toBeInstanceOf(Class);
  expect(await valueOf(result.id)).toBe("c-1");
});

test("get() takes an output as id, and options such as parent", async () => {
  const { named } = await runProgram(() => {
    const mine = new SshKey("mine", { publicKey: "ssh-ed25519 AAAA" });
    Cluster.get("theirs", mine.id, { parent: mine });
  });
  expect(named("theirs").request).toMatchObject({ id: "mine-id", parent: expect.stringMatching(/:SshKey::mine$/) });
});

test("get() leaves the options object alone", async () => {
  const opts = Object.freeze({ protect: false });
  await runProgram(() => Cluster.get("theirs", "c-1", opts));
  expect(opts).toEqual({ protect: false });
});
