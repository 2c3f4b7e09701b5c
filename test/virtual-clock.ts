import type { Clock } from "../provider/wait/clock.ts";

/** Time that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  /** How many sleep now. */
  readonly sleepers: number;
  /**
   * The same time for the other end of work that is marked busy, such as a server behind a wrapped transport: while it
   * sleeps, that work does not hold time.
   */
  readonly behindBusy: Clock;
  /** Moves time on by `ms`: wakes every sleeper at its own time, and lets what it starts come to rest before the next. */
  advance(ms: number): Promise<void>;
  /**
   * The outcome of `promise`. Jumps to the next sleeper whenever nothing else is going on.
   * @throws Error when `promise` stays open while nobody sleeps
   */
  run<T>(promise: Promise<T>): Promise<T>;
  /** Lets everything that needs no time come to rest. */
  settle(): Promise<void>;
  /** Time stands still until the returned function is called. For work outside the clock's sight, such as HTTP. */
  busy(): () => void;
  /** The same function, during each call of which time stands still. */
  whileBusy<A extends unknown[], R>(work: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
}

export interface VirtualClockOptions {
  /** Milliseconds since the epoch. @default 2026-01-01T00:00:00Z */
  startMs?: number;
  /**
   * Rounds in a row without a new sleep or busy work before time may jump. A chain of as many zero-length real timers as
   * this, with nothing that the clock sees between them, would be overtaken. @default 3
   */
  quietRounds?: number;
  /**
   * Lets promises, immediates and zero-length timers go on. Where there are no such timers, a turn of the event loop is
   * enough, and far quicker. @default an immediate and a zero-length timer
   */
  round?: () => Promise<void>;
}

interface Sleeper {
  readonly atMs: number;
  wake(): void;
}

/** Real milliseconds that a promise may stay open with nobody asleep: a first `import()` or file access takes some. */
const STUCK_MS = 10_000;

export function virtualClock({
  startMs = Date.UTC(2026, 0, 1),
  quietRounds = 3,
  round = untilTimersFired,
}: VirtualClockOptions = {}): VirtualClock {
  const sleepers = new Set<Sleeper>();
  let nowMs = startMs;
  let underWay = 0;
  /** Counts what the clock sees of the world, to tell whether anything is still going on. */
  let stirred = 0;

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      stirred += 1;
      if (signal?.aborted) return reject(signal.reason);
      if (!(ms > 0)) return resolve();
      const stop = (): void => {
        stirred += 1;
        sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        atMs: nowMs + ms,
        wake() {
          stirred += 1;
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", stop);
          resolve();
        },
      };
      sleepers.add(sleeper);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  async function settle(isOver: () => boolean = () => false): Promise<void> {
    for (let quiet = 0; quiet < quietRounds && !isOver(); ) {
      const before = stirred;
      await round();
      quiet = underWay > 0 || stirred !== before ? 0 : quiet + 1;
    }
  }

  /** Wakes the sleepers of the next moment, if it is not after `lastMs`. */
  function jump(lastMs: number): boolean {
    const nextMs = Math.min(...[...sleepers].map(({ atMs }) => atMs));
    if (nextMs > lastMs || sleepers.size === 0) return false;
    nowMs = Math.max(nowMs, nextMs);
    for (const sleeper of sleepers) if (sleeper.atMs <= nowMs) sleeper.wake();
    return true;
  }

  function busy(): () => void {
    underWay += 1;
    stirred += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      underWay -= 1;
      stirred += 1;
    };
  }

  return {
    get sleepers() {
      return sleepers.size;
    },
    now: () => nowMs,
    sleep,
    behindBusy: {
      now: () => nowMs,
      async sleep(ms, signal) {
        underWay -= 1;
        try {
          await sleep(ms, signal);
        } finally {
          underWay += 1;
          stirred += 1;
        }
      },
    },
    async advance(ms) {
      const lastMs = nowMs + ms;
      do await settle();
      while (jump(lastMs));
      nowMs = lastMs;
    },
    async run(promise) {
      let isOver = false;
      const end = (): void => {
        isOver = true;
      };
      promise.then(end, end);
      for (let stuckSinceMs: number | undefined; !isOver; ) {
        await settle(() => isOver);
        if (isOver || jump(Number.MAX_VALUE)) stuckSinceMs = undefined;
        else {
          stuckSinceMs ??= performance.now();
          if (performance.now() - stuckSinceMs > STUCK_MS) throw new Error("Cannot go on: nobody sleeps any more");
        }
      }
      return promise;
    },
    settle: () => settle(),
    busy,
    whileBusy(work) {
      return async (...args) => {
        const end = busy();
        try {
          return await work(...args);
        } finally {
          end();
        }
      };
    },
  };
}

/**
 * Lets promises, immediates and the zero-length timers that p-wait-for uses go on. Timers of one length fire in the order
 * of their start, so those that were started before this one have fired when it fires.
 */
async function untilTimersFired(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setTimeout(resolve, 0));
}
