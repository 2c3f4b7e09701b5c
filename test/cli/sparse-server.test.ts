import { expect, test } from "vitest";
import { openScene, sorted } from "./scene.ts";

const TWO = `
new Cluster("train", { instanceType: "1xH100", sshKeyId: "k-1", publicKeys });
new StorageVolume("data", { sizeGb: 100 });
`;

test("a server that knows no more than the specification: create and wait succeed under a placeholder id", async () => {
  await using scene = await openScene(TWO, { emulator: { minimalSpec: true } });
  const { stack, sent } = scene;
  await stack.up([], { check: true });
  const before = await scene.resources();
  for (const { id, outputs } of before) expect(id).toBe(`request:${String(outputs?.["requestId"])}`);
  await stack.refresh([], { check: true });
  expect((await scene.resources()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  await stack.up(["--expect-no-changes"], { check: true });
  expect(sent()).toHaveLength(2);
  expect(scene.api.ledger().requests.filter(({ early }) => early)).toEqual([]);

  const destroy = await stack.destroy();
  expect(destroy.code).not.toBe(0);
  expect(destroy.output).toContain("its id is not known (request:");
  expect(await scene.resources()).toHaveLength(2);
});

test("a FAILED create of such a server shows its words, and is not forgotten while nobody can look", async () => {
  await using scene = await openScene('new StorageVolume("data", { sizeGb: 100 });', {
    emulator: { minimalSpec: true },
  });
  scene.api.addFault({ kind: "failed", message: "the disk is full", on: "POST /storage/create" });
  const { code, output } = await scene.stack.up();
  expect(code).not.toBe(0);
  expect(output).toContain("the API reports FAILED: the disk is full");
  expect(output).toContain("could not be seen");
  expect((await scene.resource("data")).id).toMatch(/^request:/);
});

const IDS: readonly (readonly [omit: string[], from: string])[] = [
  [["cluster_id", "storage_id"], "object_id of request-info"],
  [["cluster_id", "storage_id", "object_id"], "the one object of its name in the list"],
];
test.for(IDS)("where the 202 lacks %j, the id is %s", async ([omit]) => {
  await using scene = await openScene(TWO, { emulator: { omit } });
  const { stack, billed } = scene;
  await stack.up([], { check: true });
  expect(sorted((await scene.resources()).map(({ id }) => id))).toEqual(billed());
  await stack.up(["--expect-no-changes"], { check: true });
  await stack.refresh(["--expect-no-changes"], { check: true });
  await stack.destroy([], { check: true });
  expect(billed()).toEqual([]);
});

test("an id that nobody knows yet is a placeholder, which refresh replaces", async () => {
  await using scene = await openScene(
    'new StorageVolume("data", { sizeGb: 100 }, { customTimeouts: { create: "1s" } });',
    {
      emulator: { omit: ["storage_id", "object_id"] },
    },
  );
  const { api, stack, sent, billed } = scene;
  // The look for the id goes on for 10 s after the time limit, so the list must hide it longer.
  api.addFault({ kind: "takes", seconds: 14, on: "POST /storage/create" });
  api.addFault({ kind: "status", status: 503, on: "GET /storage/list", after: 2, times: "always" });
  const { code } = await stack.up();
  expect(code).not.toBe(0);
  expect((await scene.resource("data")).id).toMatch(/^request:r-/);
  api.clearFaults();
  await stack.refresh([], { check: true });
  expect((await scene.resource("data")).id).toBe(billed()[0]);
  await stack.up([], { check: true });
  expect((await scene.resource("data")).outputs).toMatchObject({ status: "READY" });
  expect(sent()).toHaveLength(1);
  await stack.destroy([], { check: true });
  expect(billed()).toEqual([]);
});
