import { expect, test } from "vitest";
import { ALL_FOUR, OTHER_KEY, openScene, PUBLIC_KEY } from "./scene.ts";

const TWO = (cluster: string, volume: string): string => `
new Cluster("train", { publicKeys, ${cluster} });
new StorageVolume("data", { ${volume} });
`;

test("up grows, renames and protects in place, and a protected object is not destroyed", async () => {
  await using scene = await openScene(TWO('instanceType: "1xH100"', "sizeGb: 100"));
  const { stack, sent, billed } = scene;
  await stack.up([], { check: true });
  const before = billed();
  await scene.write(
    TWO('instanceType: "1xH100", name: "nodes", deletionProtection: true', 'sizeGb: 200, name: "corpus"'),
  );
  const preview = await stack.preview(["--diff"], { check: true });
  expect(preview.output).toMatch(/sizeGb\s*: 100 => 200/);
  expect(preview.output).toMatch(/deletionProtection\s*: false => true/);
  expect(preview.output).toMatch(/~ 2 to update/);
  await stack.up([], { check: true });
  const [cluster, volume] = [await scene.resource("train"), await scene.resource("data")];
  expect(cluster.outputs).toMatchObject({ name: "nodes", deletionProtection: true });
  expect(volume.outputs).toMatchObject({ name: "corpus", sizeGb: 200 });
  expect(sent(2).sort()).toEqual([`PATCH /cluster/edit/${cluster.id}`, `PATCH /storage/edit/${volume.id}`]);
  expect(
    scene.api
      .ledger()
      .billed.map(({ name }) => name)
      .sort(),
  ).toEqual(["corpus", "nodes"]);
  await stack.up(["--expect-no-changes"], { check: true });

  const refused = await stack.destroy(["--target", cluster.urn]);
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(
    `Cannot destroy cluster ${cluster.id}: deletionProtection is on. First set deletionProtection: false and run pulumi up, then destroy it`,
  );
  expect(billed()).toEqual(before);
  expect(sent(4)).toEqual([]);

  await scene.write(TWO('instanceType: "1xH100", name: "nodes"', 'sizeGb: 200, name: "corpus"'));
  await stack.up([], { check: true });
  await stack.destroy([], { check: true });
  expect(billed()).toEqual([]);
});

test("a volume cannot shrink, and the error says why", async () => {
  await using scene = await openScene(`new StorageVolume("data", { sizeGb: 100 });`);
  await scene.stack.up([], { check: true });
  await scene.write(`new StorageVolume("data", { sizeGb: 50 });`);
  const up = await scene.stack.up();
  expect(up.code).not.toBe(0);
  expect(up.output).toContain("Cannot shrink the volume from 100 GB to 50 GB: the API can only grow a volume");
  expect(scene.sent()).toEqual(["POST /storage/create"]);
});

test("a changed instance type replaces the cluster, the old one first, and attaches the volume anew", async () => {
  await using scene = await openScene(ALL_FOUR);
  const { stack, sent, billed } = scene;
  await stack.up([], { check: true });
  const [old, volume] = [await scene.resource("train"), await scene.resource("data")];
  const before = sent().length;
  await scene.write(ALL_FOUR.replace("8xH200", "8xB200"));
  const preview = await stack.preview(["--diff"], { check: true });
  expect(preview.output).toMatch(/instanceType\s*: "8xH200" => "8xB200"/);
  expect(preview.output).toMatch(/\+-2 to replace/);
  await stack.up([], { check: true });
  expect(sent(before)).toEqual([
    "POST /storage/detach",
    `DELETE /cluster/${old.id}`,
    "POST /cluster/create",
    "POST /storage/attach",
  ]);
  expect((await scene.resource("data")).id).toBe(volume.id);
  expect(billed()).toEqual(await scene.tracked());
  expect(scene.bought()).toHaveLength(3);
  await stack.up(["--expect-no-changes"], { check: true });
});

test("a changed SSH key replaces the cluster, which the preview shows", async () => {
  await using scene = await openScene(ALL_FOUR);
  const { stack, sent, billed } = scene;
  await stack.up([], { check: true });
  const old = await scene.resource("train");
  const before = sent().length;
  await scene.write(ALL_FOUR.replace(PUBLIC_KEY, OTHER_KEY));
  const preview = await stack.preview([], { check: true });
  expect(preview.output).toMatch(/\+-3 to replace/);
  await stack.up([], { check: true });
  const changes = sent(before);
  expect(changes.indexOf(`DELETE /cluster/${old.id}`)).toBeLessThan(changes.indexOf("POST /cluster/create"));
  expect(changes.filter((one) => one.startsWith("POST /cluster"))).toHaveLength(1);
  expect(billed()).toEqual(await scene.tracked());
  await stack.destroy([], { check: true });
  expect(billed()).toEqual([]);
});
