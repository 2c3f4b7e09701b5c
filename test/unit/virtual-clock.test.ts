import pWaitFor from "p-wait-for";
import { expect, test } from "vitest";
import { virtualClock } from "../virtual-clock.ts";

test("virtualClock() wakes sleepers in the order of their times when time advances", async () => {
  const clock = virtualClock();
  const startMs = clock.now();
  const woken: string[] = [];
  const note = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms);
    woken.push(`${name} at ${clock.now() - startMs}`);
  };
  const all = Promise.all([note("late", 300), note("early", 100), note("twice", 100).then(() => note("twice", 100))]);
  await clock.advance(250);
  expect(woken).toEqual(["early at 100", "twice at 100", "twice at 200"]);
  expect(clock.now() - startMs).toBe(250);
  await clock.run(all);
  expect(woken.at(-1)).toBe("late at 300");
});

test("virtualClock() jumps over loops with real zero-length timers when it runs a promise", async () => {
  const clock = virtualClock();
  const startMs = clock.now();
  let asked = 0;
  const loop = pWaitFor(
    async () => {
      asked += 1;
      if (asked % 2 === 0) await clock.sleep(60_000);
      return asked === 20;
    },
    { interval: 0 },
  );
  await clock.run(loop);
  expect(clock.now() - startMs).toBe(600_000);
});

test("virtualClock() stands still while work is busy", async () => {
  const clock = virtualClock();
  const startMs = clock.now();
  const answer = clock.whileBusy(
    async () => new Promise<number>((resolve) => setTimeout(() => resolve(clock.now() - startMs), 60)),
  );
  const [answeredAtMs] = await clock.run(Promise.all([answer(), clock.sleep(1_000)]));
  expect(answeredAtMs).toBe(0);
  expect(clock.now() - startMs).toBe(1_000);
});

test("virtualClock() lets the other end of busy work sleep", async () => {
  const clock = virtualClock();
  const answer = clock.whileBusy(async () => {
    await clock.behindBusy.sleep(5_000);
    return clock.now();
  });
  const startMs = clock.now();
  expect(await clock.run(answer())).toBe(startMs + 5_000);
});

test("virtualClock() rejects a sleep with the signal's reason when it is aborted", async () => {
  const clock = virtualClock();
  const stop = new AbortController();
  const sleep = clock.sleep(1_000, stop.signal);
  stop.abort(new Error("enough"));
  await expect(sleep).rejects.toThrow("enough");
  await expect(clock.sleep(1, stop.signal)).rejects.toThrow("enough");
  expect(clock.sleepers).toBe(0);
});

test("virtualClock() passes on a rejection when it runs a promise", async () => {
  const clock = virtualClock();
  const late = clock.sleep(10).then(() => Promise.reject(new Error("late")));
  await expect(clock.run(late)).rejects.toThrow("late");
});
