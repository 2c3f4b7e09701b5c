import type { Clock } from "./clock.ts";

/** Who goes first when several may go: what ends bills, then what asks, then what buys. */
export const ORDER = { destroy: 0, poll: 1, read: 2, change: 3, buy: 4 } as const;
export type Order = keyof typeof ORDER;

export interface TurnOptions {
  order: Order;
  /** Not before this time, in milliseconds since the epoch. @default at once */
  notBeforeMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface Scheduler {
  /**
   * Resolves when the caller may send one request; the caller must then call the `done` it is given, once.
   * @throws the signal's reason when it is aborted before
   */
  turn(options: TurnOptions): Promise<{ done(): void }>;
  /** The server said 429: nobody gets a turn for `ms`, and after it they go on one by one. */
  pause(ms: number): void;
  isPaused(): boolean;
  /** The end of the latest pause, in milliseconds since the epoch; 0 before the first. */
  readonly pausedUntilMs: number;
}

/** As many requests are under way at once as the connections that the transport keeps. */
export const MOST_AT_ONCE = 16;
const LONGEST_JITTER_MS = 100;

interface Waiting {
  readonly rank: number;
  readonly notBeforeMs: number;
  start(): void;
}

/**
 * Hands out turns to all requests of one process and sends nothing itself. One timer serves all who wait.
 * @param onPause is told of each pause, or of what lengthens one, in milliseconds since the epoch
 */
export function createScheduler(
  clock: Clock,
  random: () => number = Math.random,
  onPause: (fromMs: number, untilMs: number) => void = () => undefined,
): Scheduler {
  const waiting = new Set<Waiting>();
  let pausedUntilMs = 0;
  let atOnce = MOST_AT_ONCE;
  let underWay = 0;
  let alarm: AbortController | undefined;

  function handOut(): void {
    const nowMs = clock.now();
    let nextMs = Number.POSITIVE_INFINITY;
    if (nowMs >= pausedUntilMs) {
      const ready: Waiting[] = [];
      for (const one of waiting) {
        if (one.notBeforeMs <= nowMs) ready.push(one);
        else nextMs = Math.min(nextMs, one.notBeforeMs);
      }
      // Sorting is stable: within one rank those who came first go first.
      ready.sort((a, b) => a.rank - b.rank);
      for (const one of ready.slice(0, Math.max(0, atOnce - underWay))) {
        waiting.delete(one);
        one.start();
      }
    } else if (waiting.size > 0) nextMs = pausedUntilMs;
    wakeAt(nextMs);
  }

  function wakeAt(atMs: number): void {
    alarm?.abort();
    alarm = undefined;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const mine = new AbortController();
    alarm = mine;
    clock.sleep(Math.max(0, atMs - clock.now()), mine.signal).then(handOut, () => undefined);
  }

  return {
    turn({ order, notBeforeMs = 0, signal }) {
      return new Promise((resolve, reject) => {
        const stop = (): void => {
          waiting.delete(one);
          reject(signal?.reason);
          handOut();
        };
        const one: Waiting = {
          rank: ORDER[order],
          notBeforeMs,
          start() {
            signal?.removeEventListener("abort", stop);
            underWay += 1;
            resolve({ done });
          },
        };
        if (signal?.aborted) return stop();
        signal?.addEventListener("abort", stop, { once: true });
        waiting.add(one);
        handOut();
      });
      function done(): void {
        underWay -= 1;
        // After a pause one goes at a time; every eighth answer that is no 429 lets one more go beside it.
        if (clock.now() >= pausedUntilMs) atOnce = Math.min(atOnce + 1 / 8, MOST_AT_ONCE);
        handOut();
      }
    },
    pause(ms) {
      // The jitter keeps several processes on one account from coming back at the same instant.
      const untilMs = clock.now() + ms + random() * LONGEST_JITTER_MS;
      if (untilMs > pausedUntilMs) {
        onPause(Math.max(pausedUntilMs, clock.now()), untilMs);
        pausedUntilMs = untilMs;
      }
      atOnce = 1;
      handOut();
    },
    isPaused: () => clock.now() < pausedUntilMs,
    get pausedUntilMs() {
      return pausedUntilMs;
    },
  };
}
