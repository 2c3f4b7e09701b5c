import type { Advice } from "../advice.ts";
import { ApiError } from "../errors.ts";
import { type Fields, objects, text } from "../json.ts";
import type { Route } from "./routes.ts";
import { withoutStop } from "./wire.ts";

/** What became of one sending of a call, other than a usable success. */
export interface Failure {
  /**
   * `unsent`: no connection came about, the server has seen nothing. `lost`: sent, and then the answer was lost, late,
   * too large or no JSON object, so the server may have acted. `answered`: with the status that follows.
   */
  readonly kind: "answered" | "unsent" | "lost";
  /** 0 unless answered. */
  readonly status: number;
  readonly words: string;
  readonly requestId?: string | undefined;
  readonly askAgainAtMs?: number | undefined;
}

/** Codes of Node and undici that come before a byte of the request has left; EHOSTUNREACH may come after it too. */
const UNSENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const words = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  const kind = code !== undefined && UNSENT.has(code) ? "unsent" : "lost";
  return { kind, status: 0, words: words || "connection error" };
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  // A name that resolves to several addresses fails with one error for each.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error.cause === undefined ? undefined : codeOf(error.cause);
}

/** The server's own words, in whichever of its shapes they come. */
export function serverWords(body: Fields | undefined, raw: string): string {
  const detail = body === undefined ? undefined : objects(body, "detail")?.map((one) => text(one, "msg") ?? "");
  const words =
    body &&
    (text(body, "message") ??
      text(body, "error") ??
      text(body, "detail") ??
      (detail?.join("; ") || undefined) ??
      text(body, "external_message"));
  return withoutStop(words ?? (raw.trim() || "(empty answer)"));
}

/**
 * Whether a call that failed may be sent again. This is the money rule: what can buy goes out a second time only when
 * the first one promises that nothing was done.
 */
export function mayRepeat(effect: Route["effect"], failure: Failure): boolean {
  if (failure.kind === "unsent" || failure.status === 429) return true;
  return effect !== "buys" && mayHaveActed(failure);
}

/** Whether the server may have acted on a call that failed so. */
export function mayHaveActed({ kind, status }: Failure): boolean {
  return kind === "lost" || status >= 500 || status === 408;
}

export function apiError(route: Route, path: string, failure: Failure, attempts: number, advice: Advice): ApiError {
  return new ApiError({
    method: route.method,
    path,
    status: failure.status || undefined,
    serverMessage: failure.words,
    requestId: failure.requestId,
    askAgainAtMs: failure.askAgainAtMs,
    attempts,
    advice: advised(failure, advice),
  });
}

function advised({ kind, status }: Failure, { address, key, refresh }: Advice): string {
  if (kind === "unsent") return `Check ${address} and the network, then run again`;
  if (kind === "lost") return "Run again when the API answers";
  if (status === 401) return `Check the API key: ${key}`;
  if (status === 402) return "Top up the balance in the TensorPool dashboard, then run again; this call bought nothing";
  if (status === 403)
    return "The API key is valid but lacks this permission: use another key, or ask the organization's owner";
  if (status === 404) return `Check the id, the account of the API key, and ${address}${refresh}`;
  if (status === 409) return "Resolve the conflict it names, then run again";
  if (status === 429) return "The rate limit is used up: run again later";
  if (status >= 500) return "Run again when the API has recovered";
  if (status >= 300 && status < 400)
    return `Redirects are not followed, so that the key reaches no other host: check ${address}`;
  return "Correct what it names, then run again";
}
