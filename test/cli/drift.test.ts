import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

const TWO = `
new Cluster("train", { instanceType: "1xH100", publicKeys, name: "nodes" });
new StorageVolume("data", { sizeGb: 100 });
`;

test("refresh --preview-only shows drift and changes nothing; refresh and up mend it", async () => {
  await using scene = await openScene(TWO);
  const { api, stack, sent } = scene;
  await stack.up([], { check: true });
  const [cluster, volume] = [await scene.resource("train"), await scene.resource("data")];
  api.edit(cluster.id ?? "", { name: "renamed-by-hand", deletion_protection: true });
  api.edit(volume.id ?? "", { size_gb: 150 });

  const preview = await stack.refresh(["--preview-only", "--diff"], { check: true });
  expect(preview.output).toMatch(/name\s*: "nodes" => "renamed-by-hand"/);
  expect(preview.output).toMatch(/deletionProtection\s*: false => true/);
  expect(preview.output).toMatch(/sizeGb\s*: 100 => 150/);
  expect((await scene.resource("train")).outputs).toEqual(cluster.outputs);
  expect(sent()).toHaveLength(2);

  await stack.refresh([], { check: true });
  expect((await scene.resource("train")).outputs).toMatchObject({ name: "renamed-by-hand", deletionProtection: true });
  await scene.write(TWO.replace("sizeGb: 100", "sizeGb: 150"));
  await stack.up([], { check: true });
  expect(sent(2)).toEqual([`PATCH /cluster/edit/${cluster.id}`]);
  expect(api.ledger().billed.map(({ name }) => name)).toContain("nodes");
  await stack.up(["--expect-no-changes"], { check: true });
});

test("refresh drops what has been destroyed elsewhere, and up buys it anew", async () => {
  await using scene = await openScene(TWO);
  const { api, stack, bought, billed } = scene;
  await stack.up([], { check: true });
  const [cluster, volume] = [await scene.resource("train"), await scene.resource("data")];
  api.remove(cluster.id ?? "");
  const refresh = await stack.refresh([], { check: true });
  expect(refresh.output).toMatch(/- 1 deleted/);
  expect(await scene.tracked()).toEqual([volume.id]);
  await stack.up([], { check: true });
  expect(bought()).toHaveLength(3);
  expect(billed()).toEqual(await scene.tracked());

  for (const id of billed()) api.remove(id);
  await stack.destroy([], { check: true });
  expect(await scene.resources()).toEqual([]);
});
