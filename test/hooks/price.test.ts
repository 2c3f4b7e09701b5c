import { describe, expect, test } from "vitest";
import type { Fault } from "../emulator/index.ts";
import { BOUGHT, CLUSTER, VOLUME } from "./args.ts";
import { everBilled, outcomeOf } from "./outcome.ts";
import { startWorld, type World } from "./world.ts";

const count = (world: World, call: string): number =>
  world.entries().filter(({ method, path }) => `${method} ${path}` === call).length;
const warnings = (world: World): string[] =>
  world.lines.flatMap(({ severity, message }) => (severity === "warning" ? [message] : []));

/** The emulator's prices: 2 nodes of 8 H200 at 2.99 USD, and 500 GB at 0.10 USD a month. */
const PRICES = { cluster: 47.84, storageVolume: 500 * (0.1 / 730) };

describe.for(BOUGHT)("the price of a $kind", ({ kind, args, at }) => {
  const quote = `GET ${at}/quote`;
  const price = PRICES[kind];

  test("is an output, asked for once for all that are alike, and kept by refresh", async () => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(Promise.all(["one", "two", "three"].map((name) => up.make(kind, name, args))));
    for (const { outputs } of made) expect(outputs["hourlyUsd"]).toBeCloseTo(price, 6);
    await world.run(up.make(kind, "four", args));
    expect(count(world, quote)).toBe(1);
    for (const kept of made.slice(0, 1)) {
      expect(await world.run(up.refresh(kept))).toEqual(kept);
      expect(await world.run(up.again(kept))).toEqual({ kind: "same", kept });
    }
    expect(count(world, quote)).toBe(1);
  });

  test("above maxHourlyUsd refuses the create before it is sent", async () => {
    await using world = await startWorld();
    const making = world.start().make(kind, "train", { ...args, maxHourlyUsd: price / 2 });
    const outcome = await world.run(outcomeOf(making));
    expect(outcome).toMatchObject({ ends: "error" });
    expect(outcome).toHaveProperty(
      "words",
      expect.stringMatching(/^Cannot create .* USD an hour, and its maxHourlyUsd is /),
    );
    expect([everBilled(world), count(world, `POST ${at}/create`)]).toEqual([[], 0]);
    const made = await world.run(world.start().make(kind, "train", { ...args, maxHourlyUsd: price * 1.01 }));
    expect(made).toMatchObject({ reasons: [], outputs: { maxHourlyUsd: price * 1.01 } });
  });

  test.for([
    ["is not there", { kind: "status", status: 404 }],
    ["is in trouble", { kind: "status", status: 503 }],
    ["does not answer", { kind: "slow", seconds: 3_600 }],
    ["is refused", { kind: "status", status: 403 }],
    ["is no number", { kind: "status", status: 200, body: { hourly_rate: "47.84" } }],
    ["is less than nothing", { kind: "status", status: 200, body: { hourly_rate: -1 } }],
    ["is in another currency", { kind: "status", status: 200, body: { hourly_rate: 47, currency: "eur" } }],
  ] as const)(
    "that %s holds up no create for longer than some seconds, and is said once where a limit needs it",
    async ([, fault]) => {
      const faults: Fault[] = [{ ...fault, on: quote, times: "always" }];
      await using world = await startWorld({ faults, operationSeconds: 0 });
      const up = world.start();
      const untilPost = async (making: Promise<unknown>): Promise<number> => {
        const [sinceMs, before] = [world.clock.now(), world.entries().length];
        await world.run(making);
        const posted = world.entries().find(({ method }, index) => index >= before && method === "POST");
        return (posted?.atMs ?? Number.NaN) - sinceMs;
      };
      const free = up.make(kind, "free", args);
      expect(await untilPost(free)).toBeLessThanOrEqual(5_100);
      expect((await free).outputs).not.toHaveProperty("hourlyUsd");
      expect(warnings(world)).toEqual([]);
      const limited = { ...args, maxHourlyUsd: price / 2 };
      const two = Promise.all([up.make(kind, "a", limited), up.make(kind, "b", limited)]);
      expect(await untilPost(two)).toBeLessThanOrEqual(17_000);
      expect(warnings(world)).toEqual([
        expect.stringMatching(/^maxHourlyUsd is not enforced: (the API gives no|Cannot get a) quote/),
      ]);
      expect(everBilled(world)).toHaveLength(3);
    },
  );

  test.for<[string, Fault]>([
    ["429, and Retry-After for longer than a price is worth", { kind: "too-many", retryAfter: 40 }],
    ["503, and Retry-After for longer than a price is worth", { kind: "status", headers: { "retry-after": "40" } }],
    ["503 twice", { kind: "status", times: 2 }],
  ])("that is answered with %s is waited for where a limit needs it", async ([, fault]) => {
    await using world = await startWorld({ faults: [{ ...fault, on: quote }] });
    const making = world.start().make(kind, "train", { ...args, maxHourlyUsd: price / 2 });
    const outcome = await world.run(outcomeOf(making));
    expect(outcome).toHaveProperty("words", expect.stringMatching(/^Cannot create .* its maxHourlyUsd is /));
    expect([everBilled(world), warnings(world)]).toEqual([[], []]);
  });

  test("outlives a create that is interrupted", async () => {
    await using world = await startWorld({ operationSeconds: 60 });
    const up = world.start();
    const making = up.make(kind, "train", args);
    await world.clock.advance(20_000);
    up.cancel();
    const made = await world.run(making);
    expect(made.reasons).not.toEqual([]);
    expect(made.outputs["hourlyUsd"]).toBeCloseTo(price, 6);
    const { kept } = await world.run(world.start().again(made));
    expect(kept.reasons).toEqual([]);
    expect(kept.outputs["hourlyUsd"]).toBe(made.outputs["hourlyUsd"]);
    expect(count(world, quote)).toBe(1);
  });

  test("is told also of one that was taken over after a crash, and then stopped", async () => {
    await using world = await startWorld({ operationSeconds: 60 });
    const killed = world.start().make(kind, "train", args);
    await world.clock.advance(20_000);
    const up = world.start();
    const making = up.make(kind, "train", args);
    await world.clock.advance(10_000);
    up.cancel();
    const taken = await world.run(making);
    expect(taken.reasons.join()).toMatch(/goes on at the server/);
    const { kept } = await world.run(world.start().again(taken));
    const whole = await world.run(world.start().make(kind, "train", args));
    for (const { outputs } of [kept, whole]) expect(outputs["hourlyUsd"]).toBeCloseTo(price, 6);
    await world.run(killed);
    expect([everBilled(world), whole.id]).toEqual([[kept.id], kept.id]);
  });

  test("of an adopted one is told, and no limit refuses what is billed already", async () => {
    await using world = await startWorld();
    const first = await world.run(world.start().make(kind, "first", args));
    const adopted = world.start().make(kind, "train", { adopt: first.id, maxHourlyUsd: price / 2 });
    const { outputs, reasons } = await world.run(adopted);
    expect([outputs["hourlyUsd"], reasons]).toEqual([first.outputs["hourlyUsd"], []]);
    world.api.addFault({ kind: "status", status: 404, times: "always", on: quote });
    const priceless = await world.run(world.start().make(kind, "again", { adopt: first.id }));
    expect([priceless.id, priceless.outputs["hourlyUsd"], priceless.reasons]).toEqual([first.id, undefined, []]);
  });

  test("changes with maxHourlyUsd neither the object nor a request", async () => {
    await using world = await startWorld();
    const up = world.start();
    let kept = await world.run(up.make(kind, "train", args));
    const before = world.entries().length;
    for (const maxHourlyUsd of [price * 2, price / 2]) {
      const step = await world.run(up.again(kept, { ...args, maxHourlyUsd }));
      expect(step).toMatchObject({ kind: "update", kept: { id: kept.id, reasons: [], outputs: { maxHourlyUsd } } });
      kept = step.kept;
    }
    // A state of a release that had neither of the two.
    const { maxHourlyUsd: _input, ...inputs } = kept.inputs;
    const { maxHourlyUsd: _output, hourlyUsd: _price, ...outputs } = kept.outputs;
    expect(await world.run(up.again({ ...kept, inputs, outputs }, args))).toMatchObject({ kind: "same" });
    expect(world.entries()).toHaveLength(before);
  });
});

test("a cluster's new name asks for no new price, and no limit refuses it", async () => {
  await using world = await startWorld();
  const up = world.start();
  const made = await world.run(up.make("cluster", "train", CLUSTER));
  const { kept } = await world.run(up.again(made, { ...CLUSTER, name: "serve", maxHourlyUsd: 1 }));
  expect(kept).toMatchObject({ reasons: [], outputs: { name: "serve", hourlyUsd: 47.84 } });
  expect(count(world, "GET /cluster/quote")).toBe(1);
});

describe("a volume that grows", () => {
  test("has its new price, and none where the API no longer tells", async () => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make("storageVolume", "data", VOLUME));
    const grown = await world.run(up.again(made, { sizeGb: 1_000 }));
    expect(grown.kept.outputs["hourlyUsd"]).toBeCloseTo(2 * PRICES.storageVolume, 6);
    world.api.addFault({ kind: "status", status: 404, on: "GET /storage/quote" });
    const again = await world.run(up.again(grown.kept, { sizeGb: 2_000 }));
    expect(again.kept.outputs).toMatchObject({ sizeGb: 2_000 });
    expect(again.kept.outputs).not.toHaveProperty("hourlyUsd");
  });

  test("beyond its maxHourlyUsd is refused before the change is sent", async () => {
    await using world = await startWorld();
    const up = world.start();
    const limited = { maxHourlyUsd: 0.1 };
    const made = await world.run(up.make("storageVolume", "data", { ...VOLUME, ...limited }));
    const growing = up.again(made, { sizeGb: 1_000, ...limited }).then(({ kept }) => kept);
    const outcome = await world.run(outcomeOf(growing));
    expect(outcome).toHaveProperty(
      "words",
      expect.stringMatching(/^Cannot change .* USD an hour, and its maxHourlyUsd is 0.1/),
    );
    expect(world.entries().filter(({ method }) => method === "PATCH")).toEqual([]);
  });
});

test.for([0, -1, "30"])("maxHourlyUsd %s is refused by check", async (maxHourlyUsd) => {
  await using world = await startWorld();
  const { failures } = await world.start().check("cluster", "train", { ...CLUSTER, maxHourlyUsd });
  expect(failures).toEqual([
    { property: "maxHourlyUsd", reason: expect.stringContaining("a number of US dollars an hour") },
  ]);
});
