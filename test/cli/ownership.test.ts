import { expect, test } from "vitest";
import { openScene, type Scene } from "./scene.ts";

const TRAIN = 'new Cluster("train", { instanceType: "1xH100", publicKeys });';

/** What changed clusters since the `from`-th change. */
const clusterCalls = (scene: Scene, from: number): string[] =>
  scene.sent(from).filter((one) => one.includes("/cluster/"));

test("a forced replacement never takes over the cluster that is deleted by the same run, though its info still shows it", async () => {
  await using scene = await openScene(`${TRAIN}\nnew StorageVolume("data", { sizeGb: 1 });`, {
    emulator: { goneAs: "record" },
  });
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

test("a cluster that moves to another resource by adopt is not destroyed for the old one", async () => {
  const named = (name: string, more = ""): string =>
    `new Cluster("${name}", { instanceType: "1xH100", publicKeys, name: "nodes"${more} });`;
  await using scene = await openScene(named("train"));
  const { stack, billed } = scene;
  await stack.up([], { check: true });
  const { id } = await scene.resource("train");
  await scene.write(named("fit"));
  const stopped = await stack.up();
  expect(stopped.output).toContain(`add adopt: "${id}" to take it over`);
  await scene.write(named("fit", `, adopt: "${id}"`));
  const moved = await stack.up([], { check: true });
  expect(moved.output).toContain(`cluster ${id} stays: this run has taken it over for another resource`);
  expect((await scene.resources()).map((one) => [one.urn.split("::").at(-1), one.id])).toEqual([["fit", id]]);
  await stack.up(["--expect-no-changes"], { check: true });
  expect(billed()).toEqual([id]);
  expect(scene.sent()).toEqual(["POST /cluster/create"]);
});
