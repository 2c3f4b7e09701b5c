import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createScheduler, MOST_AT_ONCE, ORDER, type Order, type Scheduler } from "../../provider/wait/scheduler.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";

interface World {
  readonly clock: VirtualClock;
  readonly scheduler: Scheduler;
  /** Names of those who got a turn, with the milliseconds since the start. */
  readonly log: [name: string, atMs: number][];
  /** Takes a turn and holds it for `holdMs`. */
  readonly take: (name: string, order: Order, options?: { notBeforeMs?: number; holdMs?: number }) => Promise<void>;
}

function world(): World {
  const clock = virtualClock();
  const startMs = clock.now();
  const scheduler = createScheduler(clock, () => 0.5);
  const log: [string, number][] = [];
  return {
    clock,
    scheduler,
    log,
    async take(name, order, { notBeforeMs = 0, holdMs = 100 } = {}) {
      const turn = await scheduler.turn({ order, notBeforeMs: startMs + notBeforeMs });
      log.push([name, clock.now() - startMs]);
      await clock.sleep(holdMs);
      turn.done();
    },
  };
}

describe("createScheduler()", () => {
  test("tells of each pause once, and of what lengthens one from where it ended", () => {
    const clock = virtualClock();
    const startMs = clock.now();
    const told: [fromMs: number, untilMs: number][] = [];
    const onPause = (fromMs: number, untilMs: number): void => void told.push([fromMs - startMs, untilMs - startMs]);
    const scheduler = createScheduler(clock, () => 0, onPause);
    for (const ms of [5_000, 10, 8_000]) scheduler.pause(ms);
    expect(told).toEqual([
      [0, 5_000],
      [5_000, 8_000],
    ]);
  });

  test("lets as many go at once as there are connections when more than that ask", async () => {
    const { clock, take, log } = world();
    await clock.run(Promise.all(Array.from({ length: MOST_AT_ONCE + 1 }, (_, index) => take(`${index}`, "read"))));
    expect(log.filter(([, atMs]) => atMs === 0)).toHaveLength(MOST_AT_ONCE);
    expect(log.at(-1)).toEqual([`${MOST_AT_ONCE}`, 100]);
  });

  test("lets what ends bills go before what buys when both wait", async () => {
    const { clock, take, log, scheduler } = world();
    scheduler.pause(1_000);
    const orders: Order[] = ["buy", "change", "read", "poll", "destroy", "buy", "destroy"];
    await clock.run(Promise.all(orders.map((order, index) => take(`${order}${index}`, order))));
    expect(log.map(([name]) => name)).toEqual(["destroy4", "destroy6", "poll3", "read2", "change1", "buy0", "buy5"]);
  });

  test("gives nobody a turn before the pause is over, and then one by one, when the server said 429", async () => {
    const { clock, take, log, scheduler } = world();
    scheduler.pause(5_000);
    await clock.run(Promise.all(["a", "b", "c"].map((name) => take(name, "poll"))));
    const [first = 0, second, third] = log.map(([, atMs]) => atMs);
    expect(first).toBeGreaterThanOrEqual(5_000);
    expect(first).toBeLessThanOrEqual(5_100);
    expect([second, third]).toEqual([first + 100, first + 200]);
  });

  test("keeps the longer pause when a shorter one follows", async () => {
    const { clock, take, log, scheduler } = world();
    scheduler.pause(5_000);
    scheduler.pause(10);
    await clock.run(take("a", "read"));
    expect(log[0]?.[1]).toBeGreaterThanOrEqual(5_000);
  });

  test("lets several go at once again when enough answers have come after a pause", async () => {
    const { clock, take, log, scheduler } = world();
    scheduler.pause(100);
    await clock.run(Promise.all(Array.from({ length: 30 }, (_, index) => take(`${index}`, "read"))));
    const together = Map.groupBy(log, ([, atMs]) => atMs);
    const most = Math.max(...[...together.values()].map((group) => group.length));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });

  test("rejects with the signal's reason and passes the turn on when one who waits is stopped", async () => {
    const { clock, take, log, scheduler } = world();
    scheduler.pause(1_000);
    const stop = new AbortController();
    const stopped = scheduler.turn({ order: "destroy", signal: stop.signal });
    const other = take("other", "buy");
    stop.abort(new Error("stopped"));
    await expect(stopped).rejects.toThrow("stopped");
    await clock.run(other);
    expect(log.map(([name]) => name)).toEqual(["other"]);
    expect(clock.sleepers).toBe(0);
  });

  test("leaves no timer behind when the only one who waits is stopped", async () => {
    const { clock, scheduler } = world();
    const stop = new AbortController();
    const notBeforeMs = clock.now() + 60_000;
    const stopped = scheduler.turn({ order: "poll", notBeforeMs, signal: stop.signal });
    stop.abort(new Error("stopped"));
    await expect(stopped).rejects.toThrow("stopped");
    expect(clock.sleepers).toBe(0);
  });

  test("rejects at once when the signal is aborted before", async () => {
    const { scheduler } = world();
    const signal = AbortSignal.abort(new Error("before"));
    await expect(scheduler.turn({ order: "read", signal })).rejects.toThrow("before");
  });
});

const asks = fc.array(
  fc.record({
    order: fc.constantFrom(...(Object.keys(ORDER) as Order[])),
    notBeforeMs: fc.integer({ min: 0, max: 5_000 }),
    holdMs: fc.integer({ min: 0, max: 500 }),
  }),
  { minLength: 1, maxLength: 25 },
);
const pauses = fc.array(
  fc.record({ atMs: fc.integer({ min: 0, max: 3_000 }), ms: fc.integer({ min: 1, max: 3_000 }) }),
  {
    maxLength: 3,
  },
);

test("createScheduler() is never early and always ends when any mix of turns and pauses comes", async () => {
  await fc.assert(
    fc.asyncProperty(asks, pauses, async (wanted, stops) => {
      const { clock, take, log, scheduler } = world();
      const startMs = clock.now();
      const closed: [fromMs: number, untilMs: number][] = [];
      const pausing = stops.map(async ({ atMs, ms }) => {
        await clock.sleep(atMs);
        closed.push([clock.now() - startMs, clock.now() - startMs + ms]);
        scheduler.pause(ms);
      });
      await clock.run(Promise.all([...pausing, ...wanted.map((one, index) => take(`${index}`, one.order, one))]));
      expect(log).toHaveLength(wanted.length);
      for (const [name, atMs] of log) {
        expect(atMs).toBeGreaterThanOrEqual(wanted[Number(name)]?.notBeforeMs ?? 0);
        expect(closed.filter(([fromMs, untilMs]) => atMs > fromMs && atMs < untilMs)).toEqual([]);
      }
    }),
    { numRuns: 25 },
  );
});

test("createScheduler() lets the first of the highest rank go when several may go at one time", async () => {
  await fc.assert(
    fc.asyncProperty(asks, async (wanted) => {
      const { clock, take, log, scheduler } = world();
      scheduler.pause(6_000);
      await clock.run(Promise.all(wanted.map((one, index) => take(`${index}`, one.order, { ...one, holdMs: 10 }))));
      const inOrder = wanted.map((one, index) => ({ rank: ORDER[one.order], name: `${index}` }));
      inOrder.sort((a, b) => a.rank - b.rank);
      expect(log.map(([name]) => name)).toEqual(inOrder.map(({ name }) => name));
    }),
    { numRuns: 25 },
  );
});
