import { describe, expect, test } from "vitest";
import { realClock } from "../../provider/wait/clock.ts";

describe("realClock", () => {
  test("now() is near the machine's own time when nobody has set that since", () => {
    expect(Math.abs(realClock.now() - Date.now())).toBeLessThan(60_000);
  });

  test.for([0.2, 1, 7.5, 20])("sleep() is never early when asked for %d ms", async (ms) => {
    const sinceMs = realClock.now();
    await realClock.sleep(ms);
    expect(realClock.now() - sinceMs).toBeGreaterThanOrEqual(ms);
  });

  test.for([0, -5])("sleep() resolves at once when asked for %d ms", async (ms) => {
    await expect(realClock.sleep(ms)).resolves.toBeUndefined();
  });

  test("sleep() goes on when asked for longer than a Node timer takes", async () => {
    const stop = new AbortController();
    let isOver = false;
    const sleep = realClock.sleep(2 ** 31, stop.signal).finally(() => {
      isOver = true;
    });
    await realClock.sleep(20);
    expect(isOver).toBe(false);
    stop.abort(new Error("enough"));
    await expect(sleep).rejects.toThrow("enough");
  });

  test("sleep() rejects with the signal's reason when it is aborted before", async () => {
    const signal = AbortSignal.abort(new Error("before"));
    await expect(realClock.sleep(50, signal)).rejects.toThrow("before");
    await expect(realClock.sleep(0, signal)).rejects.toThrow("before");
  });
});
