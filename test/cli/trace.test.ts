import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { slicesOf } from "../../tools/trace-slices.ts";
import { openScene } from "./scene.ts";

test("TENSORPOOL_TRACE writes up and destroy, and nothing of a preview, to one file in the program's folder", async () => {
  await using scene = await openScene('new StorageVolume("data", { sizeGb: 100 });', {
    env: { TENSORPOOL_TRACE: "run.json" },
  });
  const { stack, sent } = scene;
  const file = path.join(stack.folder, "run.json");
  await stack.preview([], { check: true });
  expect(existsSync(file)).toBe(false);
  await stack.up([], { check: true });
  await stack.destroy([], { check: true });
  const slices = slicesOf(readFileSync(file, "utf8"));
  const operations = slices.filter(({ name, depth }) => depth === 0 && !name.includes("/"));
  expect(operations.map(({ row, name, args }) => `${name} ${row}: ${String(args["outcome"])}`)).toEqual([
    "create storage volume data: done",
    "delete storage volume data: done",
    "delete tensorpool-seed: done",
  ]);
  const requests = slices.filter(({ name }) => name.startsWith("POST ") || name.startsWith("DELETE "));
  expect(requests).toHaveLength(sent().length);
  expect(slices.every(({ endMs }) => endMs !== undefined)).toBe(true);
});
