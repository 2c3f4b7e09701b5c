/** No answer of the server makes us wait longer than this before the next question. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

/** But a refused create may: only who waits for capacity asks for it again, and has hours. */
export const LONGEST_AFTER_REFUSAL_MS = 3_600_000;

/**
 * The milliseconds that a `Retry-After` header asks for, from the moment its answer arrived.
 *
 * Takes seconds (also decimals) and HTTP dates. A date is compared with the answer's own `Date` header where there is
 * one, so a server clock that is off does no harm.
 * @returns at most `longestMs`; `undefined` where the header is absent, junk or not in the future, so that
 * the caller's own interval holds
 */
export function retryAfterMs(
  header: string | undefined,
  date: string | undefined,
  nowMs: number,
  longestMs: number = LONGEST_RETRY_AFTER_MS,
): number | undefined {
  const text = header?.trim() ?? "";
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : dateMs(text) - (dateMs(date) || nowMs);
  return ms > 0 ? Math.min(ms, longestMs) : undefined;
}

/** Any of the three forms of an HTTP date; `Date.parse` alone makes dates out of junk such as "Monday 9999" too. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]+ \d\d:\d\d:\d\d (GMT|\d{4})$/;

function dateMs(text = ""): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  // The oldest form names no zone and means UTC, which `Date.parse` would not guess.
  return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
}

/**
 * How long to wait before the next question when the server does not say: a tenth of the time that has passed, so that
 * the lag stays under a tenth, between 1 s and 10 s.
 */
export function ownIntervalMs(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 10, 1_000), 10_000);
}

/** Exponential backoff after the `failures`-th failure in a row, half of it by chance so that many do not move as one. */
export function backoffMs(failures: number, longestMs: number, random: () => number = Math.random): number {
  const ms = Math.min(500 * 2 ** Math.min(failures - 1, 20), longestMs);
  return ms / 2 + (ms / 2) * random();
}
