/** Time as everything in this package sees it; tests put a virtual one in its place. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Resolves when `ms` milliseconds have passed, never earlier.
   * @throws the signal's reason at once when `signal` is or gets aborted
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay a Node timer takes; a larger one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Steady time: a correction of the machine's clock neither shortens nor lengthens a wait. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    const untilMs = realClock.now() + ms;
    // A timer may fire a little early and cannot run longer than LONGEST_TIMER_MS: so ask the clock again.
    for (let leftMs = ms; leftMs > 0; leftMs = untilMs - realClock.now()) {
      await timer(Math.min(Math.ceil(leftMs), LONGEST_TIMER_MS), signal);
    }
    signal?.throwIfAborted();
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timeout);
      reject(signal?.reason);
    };
    const timeout = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
