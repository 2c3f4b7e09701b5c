import { describe, expect, test } from "vitest";
import type { Fields } from "../../provider/json.ts";
import { clusterKind } from "../../provider/operations/cluster.ts";
import { storageVolumeKind } from "../../provider/operations/storage-volume.ts";
import { CASES, hidden, PUBLIC_KEY } from "./resources.ts";

function faults(className: string, news: Fields, olds: Fields = {}): string[] {
  const one = CASES.find((some) => some.className === className);
  return (one?.resource.check(olds, { ...news, ...hidden(className) }).failures ?? []).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );
}

const cluster = { instanceType: "8xH100", sshKeyId: "key-1" };

describe("check() of a Cluster", () => {
  test.for([
    ["8H100", "8xH100"],
    ["8XH100", "8xH100"],
    ["0xH100", "1xH100"],
    ["H200", "1xH200"],
    ["x", "8xH100"],
    ["", "8xH100"],
    [8, "8xH100"],
    [["8xH100"], "8xH100"],
  ] as const)("names a right instance type when it is %j", ([instanceType, near]) => {
    const shown = JSON.stringify(instanceType);
    expect(faults("Cluster", { ...cluster, instanceType })).toEqual([
      `instanceType: Cannot use instanceType ${shown}: expected a count, "x" and an accelerator, such as ${near}`,
    ]);
  });

  test.for([
    ["9xH100", "did you mean 1xH100?"],
    ["8xh100", "did you mean 8xH100?"],
    ["4xWonderChip9000", "known accelerators: H100, H200"],
  ] as const)("warns, and takes it, when the type %s is not known", ([instanceType, hint]) => {
    const { failures, warnings } = CASES[0]?.resource.check({}, { ...cluster, instanceType }) ?? {};
    expect(failures).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings?.[0]).toContain(hint);
  });

  test.for([{}, { sshKeyId: null }, { publicKeys: null }])("asks for a key when there is none: %j", (keys) => {
    const found = faults("Cluster", { instanceType: "8xH100", ...keys });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^sshKeyId: Cannot go without a key/);
  });

  test.for([
    { olds: { instanceType: "8xH100", numNodes: 1 }, faults: 0 },
    { olds: { instanceType: "8xH100", adopt: "c-1" }, faults: 0 },
    { olds: { adopt: "c-1" }, faults: 0 },
    { olds: { ...cluster, publicKeys: null }, faults: 1 },
    { olds: { instanceType: "8xH100", sshKeyId: null, publicKeys: [PUBLIC_KEY] }, faults: 1 },
  ])("asks for a key only where it had one: $olds", ({ olds, faults: count }) => {
    expect(faults("Cluster", { instanceType: "8xH100" }, olds)).toHaveLength(count);
  });

  test.for([
    { numNodes: 0 },
    { numNodes: 1.5 },
    { numNodes: "2" },
    { publicKeys: [] },
    { publicKeys: [" "] },
    { publicKeys: PUBLIC_KEY },
    { name: "" },
    { name: "a\nb" },
    { name: "x".repeat(129) },
    { sshKeyId: "c-1" },
    { sshKeyId: "s-1" },
    { sshKeyId: "" },
    { container: "" },
    { deletionProtection: "true" },
    { saveKeys: 1 },
    { adopt: "" },
    { numnodes: 2 },
  ])("fails on that very property when the argument is %j", (wrong) => {
    const found = faults("Cluster", { ...cluster, ...wrong });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${Object.keys(wrong)[0]}: Cannot use `));
  });

  test("asks for nothing when a cluster is taken over", () => {
    expect(faults("Cluster", { adopt: "c-1" })).toEqual([]);
  });
});

describe("check() of a StorageVolume", () => {
  test.for([0, -1, 1.5, Number.NaN, "500", null])("refuses the size when it is %j", (sizeGb) => {
    expect(faults("StorageVolume", { sizeGb })).toHaveLength(1);
  });

  test("says why when the volume would shrink", () => {
    const [found, ...more] = faults("StorageVolume", { sizeGb: 400 }, { sizeGb: 500, name: "n" });
    expect(found).toMatch(/^sizeGb: Cannot shrink the volume from 500 GB to 400 GB: .*destroy its data/);
    expect(more).toEqual([]);
  });

  test.for([500, 501])("takes the size when it was 500 and is %d", (sizeGb) => {
    expect(faults("StorageVolume", { sizeGb }, { sizeGb: 500, name: "n" })).toEqual([]);
  });
});

test.for([
  [PUBLIC_KEY, true],
  [`${PUBLIC_KEY}\n`, true],
  ["ecdsa-sha2-nistp256 AAAA==", true],
  ["sk-ssh-ed25519@openssh.com AAAA me", true],
  ["ssh-ed25519", false],
  ["ssh-ed25519 AA AA\nssh-rsa BB", false],
  ["-----BEGIN OPENSSH PRIVATE KEY-----", false],
  ["", false],
  [7, false],
] as const)("check() of an SshKey knows what is one when the publicKey is %j", ([publicKey, isRight]) => {
  expect(faults("SshKey", { publicKey }).length).toBe(isRight ? 0 : 1);
});

test.for([
  [{ clusterId: "s-1", storageId: "s-1" }, ["clusterId"]],
  [{ clusterId: "c-1", storageId: "c-1" }, ["storageId"]],
  [{ clusterId: "i-1", storageId: "" }, ["clusterId", "storageId"]],
  [{ clusterId: "request:r-1", storageId: "request:r-2" }, []],
  [{}, ["clusterId", "storageId"]],
] as const)("check() of a StorageAttachment knows a mix-up when the ids are %j", ([ids, expected]) => {
  expect(faults("StorageAttachment", ids).map((fault) => fault.split(":")[0])).toEqual(expected);
});

test("createBody() holds only what is set when a cluster is created", () => {
  const inputs = { instanceType: "8xH100", numNodes: 1, deletionProtection: false, name: "n", sshKeyId: null };
  expect(clusterKind.createBody(inputs)).toEqual({
    instance_type: "8xH100",
    num_nodes: 1,
    deletion_protection: false,
    tp_cluster_name: "n",
    save_keys: false,
  });
});

test("editBody() holds only what has changed when an object is edited", () => {
  expect(clusterKind.editBody({ name: "n" })).toEqual({ cluster_name: "n" });
  expect(storageVolumeKind.editBody({ sizeGb: 5, deletionProtection: false })).toEqual({
    size_gb: 5,
    deletion_protection: false,
  });
});
