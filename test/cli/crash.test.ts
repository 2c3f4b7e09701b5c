import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { killNow, providersOf, until, type Victim } from "./crash.ts";
import { openScene, type Scene } from "./scene.ts";

const TWO = `
new Cluster("train", { instanceType: "1xH100", publicKeys });
new StorageVolume("data", { sizeGb: 100 });
`;

/** Starts an up and kills it once `isTime`; then unlocks the stack. */
async function upKilled({ stack }: Scene, victim: Victim, isTime: () => boolean): Promise<() => number[]> {
  const up = stack.spawn(["up"]);
  await until(isTime);
  await killNow(up, victim);
  await stack.cancel();
  return () => providersOf(up);
}

test.for(["CLI", "provider", "both"] as const)(
  "kill -9 of %s while creates wait: the next up takes over what was bought",
  async (victim) => {
    await using scene = await openScene(TWO, { emulator: { operationSeconds: 3 } });
    const { api, stack, bought } = scene;
    const alive = await upKilled(scene, victim, () => bought().length === 2);
    expect(await scene.tracked()).toEqual([]);
    const { output } = await stack.up([], { check: true });
    expect(output).toMatch(/took over cluster c-\w+ \("train-\w{14}"\) instead of creating a second one/);
    expect(output).toMatch(/took over storage volume s-\w+/);
    expect(bought()).toHaveLength(2);
    expect(await scene.tracked()).toEqual(scene.billed());
    expect((await scene.resource("train")).outputs).toMatchObject({ status: "RUNNING" });
    await stack.refresh(["--clear-pending-creates"], { check: true });
    await stack.up(["--expect-no-changes"], { check: true });
    expect(api.ledger().requests.filter(({ method }) => method !== "GET")).toHaveLength(2);
    // Without its engine a provider ends itself within 30 s.
    await until(() => alive().length === 0, 30_000);
  },
);

test("kill -9, cancel, destroy: what was bought is not forgotten, and the next up and destroy remove it", async () => {
  await using scene = await openScene(TWO, { emulator: { operationSeconds: 1 } });
  const { stack, bought, sent } = scene;
  await upKilled(scene, "both", () => bought().length === 2);
  const [cluster = "", volume = ""] = scene.billed();
  const destroy = await stack.destroy();
  expect(destroy.code).not.toBe(0);
  expect(destroy.output).toContain("Cannot forget this stack's seed");
  expect(destroy.output).toMatch(
    new RegExp(`cluster ${cluster} \\("train-\\w{14}"\\), storage volume ${volume} \\("data-`),
  );
  expect(destroy.output).toMatch(
    /still exist and are billed.*run pulumi up, which takes .* over, then pulumi destroy/s,
  );
  expect(scene.billed()).toEqual([cluster, volume]);
  await stack.up([], { check: true });
  expect(await scene.tracked()).toEqual([cluster, volume]);
  await stack.destroy([], { check: true });
  expect(scene.billed()).toEqual([]);
  expect(sent().filter((one) => one.startsWith("POST"))).toHaveLength(2);
});

test("kill -9 of the CLI before the create is sent: the provider that lives on buys nothing", async () => {
  await using scene = await openScene('new Cluster("train", { instanceType: "1xH100", publicKeys });');
  const { api, stack, sent } = scene;
  api.addFault({ kind: "slow", seconds: 3, on: "GET /cluster/list", times: 2 });
  await upKilled(scene, "CLI", () => api.ledger().requests.length > 0);
  await setTimeout(4_000);
  expect(sent()).toEqual([]);
  await stack.up([], { check: true });
  expect(sent()).toEqual(["POST /cluster/create"]);
  expect(await scene.tracked()).toEqual(scene.billed());
});

test("kill -9 while the create is on the wire: the next up finds what it has bought", async () => {
  await using scene = await openScene('new Cluster("train", { instanceType: "1xH100", publicKeys });');
  const { api, stack, sent } = scene;
  api.addFault({ kind: "slow", seconds: 3, on: "POST /cluster/create" });
  await upKilled(scene, "both", () => scene.bought().length === 1);
  await stack.up([], { check: true });
  expect(sent()).toEqual(["POST /cluster/create"]);
  expect(await scene.tracked()).toEqual(scene.billed());
});

test("an edit after a crash finds the orphan all the same, and replaces it when it no longer fits", async () => {
  await using scene = await openScene(TWO);
  const { stack, sent, bought, billed } = scene;
  await upKilled(scene, "both", () => bought().length === 2);
  await scene.write(TWO.replace("1xH100", "2xH100").replace("sizeGb: 100", "sizeGb: 200"));
  const first = await stack.up();
  expect(first.code).not.toBe(0);
  expect(first.output).toMatch(
    /Took over cluster c-\w+ of an interrupted run, but its instanceType is "1xH100", not "2xH100". Run pulumi up to replace it/,
  );
  expect(await scene.tracked()).toEqual(billed());
  await stack.up([], { check: true });
  const [orphan = ""] = bought().filter((id) => id.startsWith("c-"));
  expect(sent().filter((one) => one.includes("/cluster/"))).toEqual([
    "POST /cluster/create",
    `DELETE /cluster/${orphan}`,
    "POST /cluster/create",
  ]);
  expect((await scene.resource("data")).outputs).toMatchObject({ sizeGb: 200 });
  expect(bought()).toHaveLength(3);
  expect(await scene.tracked()).toEqual(billed());
});

test("with a name of the program's own, up after a kill stops with the adopt line, which then works", async () => {
  const named = (more = ""): string =>
    `new Cluster("train", { instanceType: "1xH100", publicKeys, name: "nodes"${more} });`;
  await using scene = await openScene(named());
  const { stack, sent, bought } = scene;
  await upKilled(scene, "both", () => bought().length === 1);
  const [id = ""] = bought();
  const stopped = await stack.up();
  expect(stopped.code).not.toBe(0);
  expect(stopped.output).toContain(`Cannot create cluster "nodes": ${id} has this name already`);
  expect(stopped.output).toContain(`add adopt: "${id}" to take it over`);
  await scene.write(named(`, adopt: "${id}"`));
  await stack.up([], { check: true });
  expect((await scene.resource("train")).id).toBe(id);
  await scene.write(named());
  await stack.up([], { check: true });
  expect(sent()).toEqual(["POST /cluster/create"]);
  await stack.destroy([], { check: true });
  expect(scene.billed()).toEqual([]);
});
