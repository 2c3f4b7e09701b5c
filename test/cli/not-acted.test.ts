import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

test("a create whose connection was reset before the API acted is looked for during a minute, then bought once", async () => {
  await using scene = await openScene(`
    new Cluster("train", { instanceType: "1xH100", publicKeys });
    new StorageVolume("data", { sizeGb: 100 });
  `);
  const { api, stack, bought, sent } = scene;
  api.addFault({ kind: "reset", on: "POST /cluster/create" });
  api.addFault({ kind: "status", status: 500, on: "POST /storage/create" });
  const { output } = await stack.up([], { check: true });
  expect(output).toContain("the create was lost and is not in the lists");
  expect(sent()).toHaveLength(4);
  expect(bought()).toHaveLength(2);
  expect(await scene.tracked()).toEqual(scene.billed());
});
