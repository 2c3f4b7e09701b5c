import { expect, test } from "vitest";
import { until } from "./crash.ts";
import { openScene, sorted } from "./scene.ts";

// Both wait for a minute or so, so they wait together.

const TWO = `
new Cluster("train", { instanceType: "1xH100", publicKeys });
new StorageVolume("data", { sizeGb: 100 });
`;

test.concurrent("a create whose connection was reset before the API acted is looked for during a minute, then bought once", async () => {
  await using scene = await openScene(TWO);
  const { api, stack, bought, sent } = scene;
  api.addFault({ kind: "reset", on: "POST /cluster/create" });
  api.addFault({ kind: "status", status: 500, on: "POST /storage/create" });
  const { output } = await stack.up([], { check: true });
  expect(output).toContain("the create was lost and is not in the lists");
  expect(sent()).toHaveLength(4);
  expect(bought()).toHaveLength(2);
  expect(await scene.tracked()).toEqual(scene.billed());
});

test.concurrent("another account's key forgets nothing that is still being created", async () => {
  await using scene = await openScene(TWO, {
    emulator: { operationSeconds: 4, keys: ["test-key", "other"] },
  });
  const { stack, sent } = scene;
  const up = stack.spawn(["up"]);
  await until(() => scene.bought().length === 2);
  up.interrupt();
  await up.done;
  const env = { TENSORPOOL_KEY: "other" };
  await stack.refresh([], { env });
  expect(sorted((await scene.resources()).map(({ id }) => id))).toEqual(scene.billed());
  // Only after 30 s of 404 is a request taken for forgotten; then the object itself has to be seen.
  const destroyed = await stack.destroy([], { env });
  expect(destroyed.code).not.toBe(0);
  expect(destroyed.output).toContain("TENSORPOOL_KEY is not the key that it was last seen with");
  await stack.up([], { check: true });
  expect(sent()).toHaveLength(2);
  expect(await scene.tracked()).toEqual(scene.billed());
});
