import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { startLimit } from "../wait/limit.ts";

/** When what was lost is looked for, in milliseconds after the loss. That an object is listed by the last is assumed. */
const LOOKS_AFTER_MS: readonly number[] = [1_000, 5_000, 15_000, 30_000, 60_000];

/** How long a wait that was stopped may still look for what is billed. */
const LAST_LOOK_MS = 10_000;

/**
 * Looks, again and again for `withinMs`, for what a call has done whose answer was lost.
 * @param status what is looked for, for the progress line
 * @returns what a look has found; else what the last one says: only a look that could see tells that nothing is there
 * @throws StoppedError when the context's signal ends it
 */
export async function lookAgain<T>(
  context: Context,
  status: string,
  withinMs: number,
  look: () => Promise<T | "absent" | "cannot look">,
): Promise<T | "absent" | "cannot look"> {
  const { clock, signal } = context;
  const lostAtMs = clock.now();
  let latest: T | "absent" | "cannot look" = "cannot look";
  for (const afterMs of LOOKS_AFTER_MS.filter((ms) => ms <= withinMs)) {
    context.report({ status, nextAtMs: lostAtMs + afterMs });
    await clock.sleep(Math.max(0, lostAtMs + afterMs - clock.now()), signal);
    latest = await look().catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ApiError) return "cannot look" as const;
      throw error;
    });
    if (latest !== "absent" && latest !== "cannot look") return latest;
  }
  return latest;
}

/** The wait is over, but what may be billed is worth a little more time; `undefined` when even that tells nothing. */
export async function lastLook<T>(context: Context, look: (context: Context) => Promise<T>): Promise<T | undefined> {
  const { signal, end } = startLimit(context.clock, LAST_LOOK_MS);
  try {
    return await look({ ...context, signal });
  } catch {
    return undefined;
  } finally {
    end();
  }
}
