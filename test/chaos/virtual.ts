import type { Clock } from "../../provider/wait/clock.ts";
import { seededRandom } from "../emulator/random.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";

let current: Clock | undefined;

/**
 * Makes this whole process repeat itself: timers of no length become turns of the event loop, which take no time, time
 * limits obey the virtual clock, and chance follows a seed. Only for a process that does nothing but chaos.
 */
export function takeOverProcess(): void {
  const { setTimeout } = globalThis;
  const prompt = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): unknown =>
    (ms ?? 0) < 1 ? setImmediate(callback, ...args) : setTimeout(callback, ms, ...args);
  Object.assign(globalThis, { setTimeout: prompt });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    void current
      ?.sleep(ms)
      .then(() => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")));
    return controller.signal;
  };
}

/** The clock of the next run; with it begins a new row of random numbers. */
export function startTime(seed: number): VirtualClock {
  const clock = virtualClock({ round: () => new Promise((resolve) => setImmediate(resolve)) });
  current = clock;
  Math.random = seededRandom(seed);
  return clock;
}
