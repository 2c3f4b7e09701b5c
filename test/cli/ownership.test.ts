import { expect, test } from "vitest";
import { until } from "./crash.ts";
import { openScene, type Scene } from "./scene.ts";

const TRAIN = 'new Cluster("train", { instanceType: "1xH100", publicKeys });';

/** What changed clusters since the `from`-th change. */
const clusterCalls = (scene: Scene, from: number): string[] => scene.sent(from).filter((one) => one.includes("/cluster/"));

test("a forced replacement never takes over the cluster that is about to be deleted", async () => {
  await using scene = await openScene(`${TRAIN}\nnew StorageVolume("data", { sizeGb: 1 });`);
  const { stack, billed, bought } = scene;
  await stack.up([], { check: true });
  const force: readonly ((urn: string) => Promise<unknown>)[] = [
    async (urn) => stack.up(["--replace", urn], { check: true }),
    async (urn) => stack.up(["--target-replace", urn], { check: true }),
    async (urn) => {
      await stack.run(["state", "taint", "--yes", urn], { check: true });
      await stack.up([], { check: true });
    },
  ];
  for (const replace of force) {
    const [before, old] = [scene.sent().length, await scene.resource("train")];
    await replace(old.urn);
    const now = await scene.resource("train");
    expect(now.id).not.toBe(old.id);
    expect(clusterCalls(scene, before)).toEqual([`DELETE /cluster/${old.id}`, "POST /cluster/create"]);
    expect(now.outputs?.["name"]).toBe(old.outputs?.["name"]);
    expect(await scene.tracked()).toEqual(billed());
  }
  expect(bought()).toHaveLength(5);
  await stack.up(["--expect-no-changes"], { check: true });
});

test("a cluster that has FAILED since is replaced, the old one first", async () => {
  await using scene = await openScene(TRAIN);
  const { api, stack } = scene;
  await stack.up([], { check: true });
  const { id = "" } = await scene.resource("train");
  api.edit(id, { status: "FAILED" });
  await stack.refresh([], { check: true });
  const preview = await stack.preview([], { check: true });
  expect(preview.output).toMatch(/\+-1 to replace/);
  await stack.up([], { check: true });
  expect(scene.sent(1)).toEqual([`DELETE /cluster/${id}`, "POST /cluster/create"]);
  expect(await scene.tracked()).toEqual(scene.billed());
});

test("a delete that fails in the middle of a replacement leaves what is billed in the state, and the next up ends it", async () => {
  await using scene = await openScene(TRAIN);
  const { api, stack, billed } = scene;
  await stack.up([], { check: true });
  api.addFault({ kind: "failed", message: "the node does not answer", on: "DELETE /cluster/{}" });
  await scene.write(TRAIN.replace("1xH100", "2xH100"));
  const failed = await stack.up();
  expect(failed.code).not.toBe(0);
  expect(failed.output).toContain("the node does not answer");
  expect(failed.output).toContain("could not be destroyed and is still billed");
  expect(await scene.tracked()).toEqual(billed());
  await stack.up([], { check: true });
  expect(await scene.tracked()).toEqual(billed());
  expect(scene.bought()).toHaveLength(2);
});

test("an object deleted earlier in the same run is never taken over, though the list shows it once more", async () => {
  await using scene = await openScene(TRAIN, { emulator: { goneAs: "record", operationSeconds: 0.6 } });
  const { api, stack } = scene;
  await stack.up([], { check: true });
  const { id, urn } = await scene.resource("train");
  // Destroyed by another hand at the same moment: the delete of the run finds it on its way out.
  const [up] = [stack.up(["--replace", urn], { check: true })];
  await until(() => scene.sent().length > 1);
  api.addFault({ kind: "slow", seconds: 1, on: "GET /cluster/info/{}", times: 2 });
  await up;
  expect((await scene.resource("train")).id).not.toBe(id);
  expect(clusterCalls(scene, 1)).toEqual([`DELETE /cluster/${id}`, "POST /cluster/create"]);
  expect(await scene.tracked()).toEqual(scene.billed());
});
