import pWaitFor from "p-wait-for";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { ownIntervalMs } from "./retry-after.ts";

/**
 * Asks at the package's own interval until `ask` gives a value. A server that does not answer is asked again; only a
 * refused key (401, 403) ends it early.
 * @param status what is waited for, for the progress line
 * @throws StoppedError when the context's signal ends the wait
 */
export function poll<T>(context: Context, status: string, ask: () => Promise<T | undefined>): Promise<T> {
  const { clock, signal, report } = context;
  const sinceMs = clock.now();
  return pWaitFor(
    async () => {
      let askAgainAtMs = 0;
      const value = await ask().catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error;
        askAgainAtMs = error.askAgainAtMs ?? 0;
        return undefined;
      });
      if (value !== undefined) return pWaitFor.resolveWith(value);
      const waitMs = Math.max(ownIntervalMs(clock.now() - sinceMs), askAgainAtMs - clock.now());
      report({ status, nextAtMs: clock.now() + waitMs });
      await clock.sleep(waitMs, signal);
      return false;
    },
    { interval: 0 },
  );
}
