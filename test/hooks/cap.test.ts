import { describe, expect, test } from "vitest";
import type { Fault } from "../emulator/index.ts";
import { CLUSTER } from "./args.ts";
import { stoppable } from "./ctrl-c.ts";
import { billed, everBilled, outcomeOf } from "./outcome.ts";
import { startWorld, type World } from "./world.ts";

const QUOTE = "GET /cluster/quote";
const OVER = { ...CLUSTER, maxHourlyUsd: 1 };

const quotes = (world: World): number =>
  world.entries().filter(({ method, path }) => `${method} ${path}` === QUOTE).length;
const warnings = (world: World): string[] =>
  world.lines.flatMap(({ severity, message }) => (severity === "warning" ? [message] : []));

test("a price is not above a limit by its last digit", async () => {
  const body = { hourly_rate: 0.1 + 0.2 };
  await using world = await startWorld({
    faults: [{ kind: "status", status: 200, body, times: "always", on: QUOTE }],
  });
  const up = world.start();
  expect((await world.run(up.make("cluster", "train", { ...CLUSTER, maxHourlyUsd: 0.3 }))).reasons).toEqual([]);
  await expect(world.run(up.make("cluster", "other", { ...CLUSTER, maxHourlyUsd: 0.299 }))).rejects.toThrow(
    "it would cost 0.3 USD an hour, and its maxHourlyUsd is 0.299",
  );
});

test("a limit trusts no failure that a create without one has met", async () => {
  await using world = await startWorld({ faults: [{ kind: "status", times: 2, on: QUOTE }] });
  const up = world.start();
  const free = await world.run(up.make("cluster", "free", CLUSTER));
  expect(free.outputs).not.toHaveProperty("hourlyUsd");
  await expect(world.run(up.make("cluster", "train", OVER))).rejects.toThrow(/its maxHourlyUsd is 1/);
  expect(warnings(world)).toEqual([]);
});

test("a price outlives one failure", async () => {
  await using world = await startWorld({ faults: [{ kind: "status", on: QUOTE }] });
  const { outputs } = await world.run(world.start().make("cluster", "train", CLUSTER));
  expect(outputs).toMatchObject({ hourlyUsd: 47.84 });
});

test("a price that has risen while the create waited for capacity is refused", async () => {
  const faults: Fault[] = [{ kind: "no-capacity", status: 409, forSeconds: 300, on: "POST /cluster/create" }];
  await using world = await startWorld({ faults });
  const args = { ...CLUSTER, maxHourlyUsd: 60, capacityTimeout: "1h" };
  const making = outcomeOf(world.start().make("cluster", "train", args));
  await world.clock.advance(100_000);
  world.api.addFault({ kind: "status", status: 200, body: { hourly_rate: 61 }, times: "always", on: QUOTE });
  expect(await world.run(making)).toHaveProperty("words", expect.stringContaining("it would cost 61 USD an hour"));
  expect(everBilled(world)).toEqual([]);
});

test("Ctrl-C ends a wait for a quote at once, also for who shares it, with nothing sent", async () => {
  const faults: Fault[] = [{ kind: "too-many", retryAfter: 60, times: "always", on: QUOTE }];
  const stage = await stoppable(undefined, faults);
  await using world = stage.world;
  const up = stage.start();
  const making = Promise.all(["one", "two"].map((name) => outcomeOf(up.make("cluster", name, OVER))));
  await world.clock.advance(10_000);
  up.cancel();
  const sinceMs = world.clock.now();
  for (const outcome of await world.run(making)) {
    expect(outcome).toHaveProperty("words", expect.stringMatching(/cancelled before anything was sent/));
  }
  expect([world.clock.now() - sinceMs, warnings(world), everBilled(world)]).toEqual([0, [], []]);
});

test("limits hold where the rate limit lets through one request a second", async () => {
  await using world = await startWorld({ rateLimit: { perSecond: 1, burst: 5 } });
  const up = world.start();
  const sizes = Array.from({ length: 30 }, (_, index) => 500 + index);
  const all = sizes.map((sizeGb) => outcomeOf(up.make("storageVolume", `v${sizeGb}`, { sizeGb, maxHourlyUsd: 0.01 })));
  const words = (await world.run(Promise.all(all))).map((one) => "words" in one && one.words);
  for (const one of words) expect(one).toMatch(/its maxHourlyUsd is 0.01/);
  expect(everBilled(world)).toEqual([]);
});

test("a rate limit on quotes that never ends holds up a limited create for ten minutes, and no longer", async () => {
  const faults: Fault[] = [{ kind: "too-many", retryAfter: 30, times: "always", on: QUOTE }];
  await using world = await startWorld({ faults });
  const making = world.start().make("cluster", "train", OVER);
  const seconds = await world.seconds(making);
  expect([seconds > 600, seconds < 700]).toEqual([true, true]);
  expect((await making).reasons).toEqual([]);
  expect(warnings(world)).toEqual([expect.stringMatching(/^maxHourlyUsd is not enforced: the API gives no quote in/)]);
});

describe("a replacement above maxHourlyUsd", () => {
  const larger = { ...CLUSTER, numNodes: 4, maxHourlyUsd: 60 };

  test("is refused before the old cluster is destroyed", async () => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make("cluster", "train", { ...CLUSTER, maxHourlyUsd: 60 }));
    await expect(world.run(up.again(made, larger))).rejects.toThrow(
      /^Cannot replace cluster "train-\w+": it would cost 95.68 USD an hour, and its maxHourlyUsd is 60. Nothing was sent/,
    );
    expect(billed(world)).toEqual([made.id]);
    expect(quotes(world)).toBe(2);
    const { kind, kept } = await world.run(world.start().again(made, { ...larger, maxHourlyUsd: 100 }));
    expect([kind, kept.reasons, billed(world)]).toEqual(["replace", [], [kept.id]]);
  });

  test("does not keep what is beyond repair", async () => {
    const faults: Fault[] = [{ kind: "failed", keepObject: true, on: "POST /cluster/create" }];
    await using world = await startWorld({ faults });
    const up = world.start();
    const failed = await world.run(up.make("cluster", "train", CLUSTER));
    await expect(world.run(up.again(failed, larger))).rejects.toThrow(/^Cannot create cluster/);
    expect(billed(world)).toEqual([]);
  });

  test("is left to its create where the old cluster stays beside it, or it only takes over another one", async () => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make("cluster", "train", CLUSTER));
    await expect(world.run(up.again(made, { ...larger, __side: true }))).rejects.toThrow(/^Cannot create cluster/);
    const other = world.api.addCluster({ name: "other", instance_type: "8xH200", num_nodes: 4 });
    const old = await world.run(up.make("cluster", "train", CLUSTER));
    const { kind, kept } = await world.run(up.again(old, { ...larger, adopt: other }));
    expect([kind, kept.id, kept.reasons]).toEqual(["replace", other, []]);
  });

  test("is none where a destroy reads first and finds another cluster there", async () => {
    await using world = await startWorld();
    const made = await world.run(world.start().make("cluster", "train", CLUSTER));
    const drifted = { ...made, outputs: { ...made.outputs, numNodes: 4 }, inputs: { ...made.inputs, maxHourlyUsd: 1 } };
    const down = world.start();
    expect(await down.diff(drifted)).toMatchObject({ replaces: ["numNodes"] });
    await world.run(down.destroy(drifted));
    expect(billed(world)).toEqual([]);
  });
});
