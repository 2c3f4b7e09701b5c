import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { watchEngine } from "../../provider/hooks/engine.ts";
import { processHost } from "../../provider/hooks/host.ts";

/** Whether the process is ended by an engine whose answers for half a minute are these. */
async function ends(answer: () => Promise<void>): Promise<boolean> {
  const end = vi.fn<() => void>();
  watchEngine({ log: answer }, end);
  await vi.advanceTimersByTimeAsync(30_000);
  return end.mock.calls.length > 0;
}

describe("watchEngine()", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("ends the process when the engine does not answer twice in a row", async () => {
    const unavailable = Object.assign(new Error("14 UNAVAILABLE: No connection established"), { code: 14 });
    expect(await ends(() => Promise.reject(unavailable))).toBe(true);
  });

  test("goes on when the engine answers every other time", async () => {
    const late = Object.assign(new Error("4 DEADLINE_EXCEEDED"), { code: 4 });
    let asked = 0;
    expect(await ends(() => (++asked % 2 === 0 ? Promise.resolve() : Promise.reject(late)))).toBe(false);
  });

  test("goes on when it cannot ask, since that tells nothing of the engine", async () => {
    const missing = Object.assign(new Error("Cannot find module '@grpc/grpc-js'"), { code: "MODULE_NOT_FOUND" });
    expect(await ends(() => Promise.reject(missing))).toBe(false);
  });
});

test("processHost() leaves SIGTERM alone in a process that no engine has started", () => {
  const before = process.listenerCount("SIGTERM");
  expect(processHost().engine).toBeUndefined();
  expect(process.listenerCount("SIGTERM")).toBe(before);
});
