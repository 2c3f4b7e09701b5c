import { expect, test } from "vitest";
import { OTHER_KEY, openScene, PUBLIC_KEY, sorted } from "./scene.ts";

const program = (adopt: (id: string) => string, ids: Readonly<Record<string, string>>): string => `
const cluster = new Cluster("train", { instanceType: "8xH200", numNodes: 2${adopt(ids["cluster"] ?? "")} });
const data = new StorageVolume("data", { sizeGb: 700${adopt("class")} });
new StorageAttachment("link", { clusterId: cluster.id, storageId: data.id${adopt(`${ids["cluster"]}/${ids["volume"]}`)} });
new SshKey("me", { publicKey: "${PUBLIC_KEY}"${adopt(ids["key"] ?? "")} });
`;

test("adopt takes over all four kinds without a change, and may be taken out afterwards", async () => {
  await using scene = await openScene("");
  const { api, stack, sent, billed } = scene;
  const cluster = api.addCluster({ name: "box", instance_type: "8xH200", num_nodes: 2 });
  const volume = api.addVolume({ name: "class", size_gb: 700 });
  api.edit(cluster, { storage: [volume] });
  const key = api.addSshKey({ name: "laptop", public_key: PUBLIC_KEY });
  const ids = { cluster, volume, key };
  const adopting = program((id) => `, adopt: "${id}"`, ids);

  await scene.write(adopting.replace("numNodes: 2", "numNodes: 1"));
  const stopped = await stack.up();
  expect(stopped.output).toContain(`Cannot adopt cluster ${cluster}: its numNodes is 2, not 1`);
  await scene.write(adopting);
  await stack.up([], { check: true });
  expect(sorted((await scene.resources()).map(({ id }) => id))).toEqual(
    sorted([cluster, volume, `${cluster}/${volume}`, key]),
  );
  await stack.up(["--expect-no-changes"], { check: true });
  await stack.refresh(["--expect-no-changes"], { check: true });
  // A replacement would destroy what adopt then looks for.
  await scene.write(adopting.replace("numNodes: 2", "numNodes: 3"));
  for (const refused of [await stack.preview(), await stack.up()]) {
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(
      `Cannot replace cluster ${cluster}: numNodes has changed, and adopt: "${cluster}"`,
    );
  }
  // The cluster's keys are its own: without adopt it needs none in the program either.
  await scene.write(program(() => "", ids));
  await stack.up([], { check: true });
  await stack.up(["--expect-no-changes"], { check: true });
  expect(sent()).toEqual([]);
  await stack.destroy([], { check: true });
  expect(billed()).toEqual([]);
});

test("while adopt is there, a refresh may find drift, and a preview warns of what would take the adopted one with it", async () => {
  await using scene = await openScene("");
  const { api, stack, billed } = scene;
  const cluster = api.addCluster({ name: "box", instance_type: "8xH200", num_nodes: 2 });
  const around = (publicKey: string, adopt: string): string => `
    const key = new SshKey("me", { publicKey: "${publicKey}" });
    new Cluster("train", { instanceType: "8xH200", numNodes: 2, sshKeyId: key.id${adopt} });`;
  const adopting = around(PUBLIC_KEY, `, adopt: "box"`);
  await scene.write(adopting);
  await stack.up([], { check: true });

  api.edit(cluster, { num_nodes: 3 });
  await stack.refresh(["--preview-only"], { check: true });
  await stack.refresh([], { check: true });
  expect((await stack.up()).output).toContain(`Cannot replace cluster ${cluster}: numNodes has changed, and adopt`);
  api.edit(cluster, { num_nodes: 2 });
  await stack.up(["--refresh"], { check: true });

  // With the key goes what names it, as the state has it: the engine has not asked the program for it yet.
  await scene.write(around(OTHER_KEY, `, adopt: "box"`));
  expect((await stack.preview()).output).toContain(
    `cluster ${cluster} is replaced, because what its sshKeyId comes from is. Take adopt out`,
  );
  expect(billed()).toEqual([cluster]);
  await scene.write(around(OTHER_KEY, ""));
  await stack.up([], { check: true });
  expect(billed()).toHaveLength(1);
  expect(billed()).not.toContain(cluster);
  await stack.destroy([], { check: true });
  expect(billed()).toEqual([]);
});
