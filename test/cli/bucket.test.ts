import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

const MODELS = 'export const name = new Bucket("models").name;';

test("a bucket through the CLI: create, no change, refresh, no destroy while it holds objects, destroy", async () => {
  await using scene = await openScene(MODELS);
  const { api, stack, sent } = scene;
  const early = await stack.up();
  expect(early.code).not.toBe(0);
  expect(early.output).toContain("the API answered 409: Object storage is not enabled.");
  expect(early.output).toContain("enable it once, in the TensorPool dashboard or with the tp command");
  expect(await scene.resources()).toEqual([]);

  const theirs = api.addBucket({ name: "theirs", objects: 1 });
  await stack.up([], { check: true });
  const { id = "", outputs } = await scene.resource("models");
  expect(id).toMatch(/^models-[0-9a-f]{14}$/);
  expect(outputs).toMatchObject({ name: id });
  await stack.up(["--expect-no-changes"], { check: true });
  await stack.refresh(["--expect-no-changes"], { check: true });
  expect(sent()).toEqual([`PUT /object-storage/bucket/create/${id}`]);

  api.addBucket({ name: id, objects: 2 });
  const refused = await stack.destroy();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(`Bucket ${id} is not empty. Only an empty bucket can be deleted`);
  expect(refused.output).toContain(`empty "${id}" with an S3 client, then run again`);
  expect((await scene.resource("models")).id).toBe(id);

  await scene.write(`${MODELS}\nBucket.get("read", "${theirs}");\nnew Bucket("adopted", { adopt: "${theirs}" });`);
  const more = await stack.up([], { check: true });
  expect(more.output).toMatch(/1 created/);
  expect((await scene.resource("adopted")).id).toBe(theirs);
  for (const name of [id, theirs]) api.addBucket({ name });
  await stack.destroy([], { check: true });
  expect(sent(2).sort()).toEqual([id, theirs].map((name) => `DELETE /object-storage/bucket/delete/${name}`).sort());
});
