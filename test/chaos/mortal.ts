import type { Clock } from "../../provider/wait/clock.ts";

/** The life of one process. What it waits for when it dies never comes. */
export interface Life {
  readonly isOver: boolean;
  end(): void;
  /** Calls `onEnd` when it dies, unless the returned function has been called before. */
  whenOver(onEnd: () => void): () => void;
  /** The outcome of `promise`; none when the process dies before. */
  during<T>(promise: Promise<T>): Promise<T>;
}

export function createLife(): Life {
  const endings = new Set<() => void>();
  let isOver = false;
  return {
    get isOver() {
      return isOver;
    },
    end() {
      if (isOver) return;
      isOver = true;
      for (const onEnd of endings) onEnd();
      endings.clear();
    },
    whenOver(onEnd) {
      endings.add(onEnd);
      return () => endings.delete(onEnd);
    },
    during: (promise) =>
      new Promise((resolve, reject) => {
        promise.then(
          (value) => isOver || resolve(value),
          (error: unknown) => isOver || reject(error),
        );
      }),
  };
}

/** The clock as a process sees it: its sleeps end with it, and nobody is woken. */
export function mortalClock(clock: Clock, life: Life): Clock {
  return {
    now: () => clock.now(),
    sleep(ms, signal) {
      if (life.isOver) return new Promise(() => undefined);
      const death = new AbortController();
      const isSaved = life.whenOver(() => death.abort());
      const both = signal === undefined ? death.signal : AbortSignal.any([death.signal, signal]);
      return life.during(clock.sleep(ms, both).finally(isSaved));
    },
  };
}
