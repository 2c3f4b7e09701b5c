import { durationSeconds } from "../durations.ts";
import { AnswerLostError, ApiError, RequestFailedError } from "../errors.ts";
import { type Fields, text } from "../json.ts";

/**
 * Assumed: how the API says that it has no machines at the moment, with a refused create or a FAILED request. Nothing of
 * it is documented; what matches none of these stays the error that it is.
 */
const NO_CAPACITY: readonly RegExp[] = [
  /\b(no|insufficient|not (have )?(enough|sufficient)|lack of|out of|without)( [\w.-]+){0,3} capacity\b/i,
  /\bcapacity\b.{0,40}\b(unavailable|not available|exhausted)\b/i,
  /\b(no(?! such)|insufficient|not (have )?(enough|sufficient))( [\w.-]+){0,3} (gpus?|nodes?|instances?|machines?|servers?|resources)\b.{0,40}\bavailable\b/i,
  /\bno available( [\w.-]+){0,3} (gpus?|nodes?|instances?|machines?|servers?|resources)\b/i,
  /\b(sold out|out of stock)\b/i,
];

/** What a wait does not mend, whatever else is said. */
const NOT_FOR_WAITING = /\b(quota|balance|credit|permission|billing|payment|upgrade|limits?\b)/i;

/** Refusals that have a meaning of their own, whatever the words. */
const OTHER_REFUSALS: readonly number[] = [401, 402, 403, 408, 429];

/** How long a create may wait for capacity, in seconds; 0 where the program does not say. */
export function capacityTimeoutSeconds(inputs: Fields): number {
  const duration = text(inputs, "capacityTimeout");
  return duration === undefined ? 0 : durationSeconds(duration, "capacityTimeout");
}

/** The server's words, when it is for want of capacity that a create came to nothing. */
export function noCapacityIn(error: unknown): string | undefined {
  const words = wordsOf(error);
  const isIt = NO_CAPACITY.some((pattern) => pattern.test(words)) && !NOT_FOR_WAITING.test(words);
  return isIt ? words : undefined;
}

function wordsOf(error: unknown): string {
  if (error instanceof RequestFailedError) return error.serverMessage;
  if (error instanceof AnswerLostError) return error.reason;
  const isRefusal = error instanceof ApiError && error.status !== undefined && error.status < 500;
  return isRefusal && !OTHER_REFUSALS.includes(error.status ?? 0) ? error.serverMessage : "";
}
