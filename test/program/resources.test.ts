import { Bucket, Cluster, type ClusterArgs, SshKey, StorageAttachment, StorageVolume } from "pulumi-tensorpool";
import { expect, test } from "vitest";
import { runProgram, SEED, valueOf } from "./program.ts";

const TYPE = "pulumi-nodejs:dynamic/tensorpool";

/** All there is, as a program would have it. */
async function declareAll() {
  return runProgram(() => {
    const key = new SshKey("me", { publicKey: "ssh-ed25519 AAAA me" });
    const cluster = new Cluster("train", { instanceType: "8xH200", numNodes: 2, sshKeyId: key.id });
    const data = new StorageVolume("data", { sizeGb: 500 });
    const attachment = new StorageAttachment("data-on-train", { clusterId: cluster.id, storageId: data.id });
    const bucket = new Bucket("models");
    return { key, cluster, data, attachment, bucket };
  });
}

// The golden bytes of every state file there is: whoever changes one of these breaks the refresh and destroy of all.
const FROZEN: Readonly<Record<string, readonly [type: string, provider: string]>> = {
  "tensorpool-seed": [`${TYPE}:Seed`, 'exports.handler=()=>require("pulumi-tensorpool/provider").seed'],
  me: [`${TYPE}:SshKey`, 'exports.handler=()=>require("pulumi-tensorpool/provider").sshKey'],
  train: [`${TYPE}:Cluster`, 'exports.handler=()=>require("pulumi-tensorpool/provider").cluster'],
  data: [`${TYPE}:StorageVolume`, 'exports.handler=()=>require("pulumi-tensorpool/provider").storageVolume'],
  "data-on-train": [
    `${TYPE}:StorageAttachment`,
    'exports.handler=()=>require("pulumi-tensorpool/provider").storageAttachment',
  ],
  models: [`${TYPE}:Bucket`, 'exports.handler=()=>require("pulumi-tensorpool/provider").bucket'],
};

test("a program registers its five resources and one Seed, each with its frozen type and text", async () => {
  const { registrations } = await declareAll();
  const seen = registrations.map(({ name, type, inputs }) => [name, [type, inputs["__provider"]]]);
  expect(Object.fromEntries(seen)).toEqual(FROZEN);
  expect(registrations).toHaveLength(Object.keys(FROZEN).length);
});

test.for(Object.entries(FROZEN))("the frozen text of %s takes at most 80 bytes", ([, [, provider]]) => {
  expect(Buffer.byteLength(provider)).toBeLessThanOrEqual(80);
});

test("resources pass their arguments as they are, and ids of other resources by value", async () => {
  const { named } = await declareAll();
  expect(named("train").inputs).toEqual({
    instanceType: "8xH200",
    numNodes: 2,
    sshKeyId: "me-id",
    __seed: SEED,
    __urn: `urn:pulumi:stack::project::${TYPE}:Cluster::train`,
    __provider: FROZEN["train"]?.[1],
  });
  expect(named("data-on-train").inputs).toMatchObject({ clusterId: "train-id", storageId: "data-id" });
});

test("an attachment depends on its cluster and its volume, so that destroy detaches first", async () => {
  const { named } = await declareAll();
  expect(named("data-on-train").request["dependenciesList"]).toEqual(
    expect.arrayContaining([
      `urn:pulumi:stack::project::${TYPE}:Cluster::train`,
      `urn:pulumi:stack::project::${TYPE}:StorageVolume::data`,
    ]),
  );
});

test("outputs resolve to what the engine answers, and to undefined where it answers nothing", async () => {
  const { result } = await declareAll();
  const { cluster, data, attachment } = result;
  expect(await valueOf([cluster.id, cluster.instanceType, cluster.numNodes])).toEqual(["train-id", "8xH200", 2]);
  const silent = [cluster.status, cluster.instances, data.mountPath, data.createdAt, attachment.requestId];
  expect(await valueOf(silent)).toEqual(silent.map(() => undefined));
});

test("Cluster() leaves its arguments alone when two clusters share one object of them", async () => {
  const args: ClusterArgs = Object.freeze({ instanceType: "1xH100", publicKeys: Object.freeze(["k"]) as string[] });
  const { named } = await runProgram(() => {
    new Cluster("one", args);
    new Cluster("two", args);
  });
  expect(args).toEqual({ instanceType: "1xH100", publicKeys: ["k"] });
  const [one, two] = [named("one").inputs, named("two").inputs];
  expect({ ...one, __urn: "" }).toEqual({ ...two, __urn: "" });
  expect(one["__urn"]).not.toEqual(two["__urn"]);
});
