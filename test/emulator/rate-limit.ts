import type { Settings } from "./options.ts";

/** A token bucket: takes a token, or returns the whole seconds until there is one. */
export function createRateLimit({ rateLimit, clock }: Settings): () => number | undefined {
  let tokens = rateLimit?.burst ?? 0;
  let atMs = clock.now();
  return () => {
    if (rateLimit === undefined) return undefined;
    const nowMs = clock.now();
    tokens = Math.min(rateLimit.burst, tokens + ((nowMs - atMs) / 1_000) * rateLimit.perSecond);
    atMs = nowMs;
    if (tokens < 1) return Math.max(1, Math.ceil((1 - tokens) / rateLimit.perSecond));
    tokens -= 1;
    return undefined;
  };
}
