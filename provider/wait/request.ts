import pWaitFor from "p-wait-for";
import * as routes from "../api/routes.ts";
import { type RequestInfo, requestInfo } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError, RequestFailedError } from "../errors.ts";
import { backoffMs, LONGEST_RETRY_AFTER_MS, ownIntervalMs } from "./retry-after.ts";

/** `forgotten`: the server no longer knows the request, so only the object itself can tell. */
export type Verdict =
  | { readonly kind: "completed"; readonly objectId: string | undefined }
  | { readonly kind: "forgotten" };

export interface Pending {
  readonly requestId: string;
  /** When the request was accepted, in milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Not to be asked before, as the server wishes. */
  readonly askAfterMs: number | undefined;
}

const LONGEST_BACKOFF_MS = 30_000;
/** This many answers 404, over at least this long, and the request is taken to be forgotten. */
const FORGOTTEN_ANSWERS = 3;
const FORGOTTEN_MS = 30_000;

/**
 * Asks `/request/info` until the server's verdict, never earlier than it allows. Rate limits, server errors, broken
 * answers and words that nobody has documented are no verdict: it goes on asking.
 * @param seen is told when the next question will be allowed, to be kept where a later process finds it
 * @throws RequestFailedError when the verdict is FAILED
 * @throws ApiError when the key is refused (401, 403)
 * @throws StoppedError when the context's signal ends the wait
 */
export async function waitForRequest(
  context: Context,
  { requestId, sinceMs, askAfterMs }: Pending,
  seen: (askAfterMs: number) => void = () => undefined,
): Promise<Verdict> {
  const { api, clock, signal, report } = context;
  let notBeforeMs = askAfterMs ?? clock.now() + firstDelayMs(clock.now() - sinceMs);
  // What another machine has stored may be ahead of this one's clock.
  notBeforeMs = Math.min(notBeforeMs, clock.now() + LONGEST_RETRY_AFTER_MS);
  let latest = "accepted";
  let failures = 0;
  let missing: { count: number; sinceMs: number } | undefined;
  const said = new Set<string>();

  function askAgain(atMs: number, status: string): false {
    notBeforeMs = atMs;
    latest = status;
    seen(atMs);
    return false;
  }

  async function ask(): Promise<false | ReturnType<typeof pWaitFor.resolveWith<Verdict>>> {
    report({ status: latest, requestId, nextAtMs: notBeforeMs });
    try {
      const answer = await api.call(routes.requestInfo, { id: requestId, notBeforeMs, signal, mostAttempts: 1 });
      const info = requestInfo(answer.body);
      failures = 0;
      missing = undefined;
      if (info.status === "COMPLETED") return pWaitFor.resolveWith({ kind: "completed", objectId: info.objectId });
      if (info.status === "FAILED") throw new RequestFailedError(requestId, info.words ?? "no reason given");
      noteWord(info);
      return askAgain(answer.askAgainAtMs ?? clock.now() + ownIntervalMs(clock.now() - sinceMs), info.status || "?");
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401 || error.status === 403) {
        seen(Math.max(error.askAgainAtMs ?? 0, notBeforeMs));
        throw error;
      }
      failures += 1;
      if (error.status !== 404) missing = undefined;
      else {
        missing = { count: (missing?.count ?? 0) + 1, sinceMs: missing?.sinceMs ?? clock.now() };
        const isForgotten = missing.count >= FORGOTTEN_ANSWERS && clock.now() - missing.sinceMs >= FORGOTTEN_MS;
        if (isForgotten) return pWaitFor.resolveWith({ kind: "forgotten" });
      }
      const words = error.status === undefined ? "no answer" : `answer ${error.status}`;
      return askAgain(Math.max(error.askAgainAtMs ?? 0, clock.now() + backoffMs(failures, LONGEST_BACKOFF_MS)), words);
    }
  }

  /** A word that nobody has documented is worth one line; asking goes on. */
  function noteWord({ status }: RequestInfo): void {
    if (!said.has(status) && !["PENDING", "PROCESSING", "RETRYING"].includes(status)) {
      context.say("info", `request ${requestId} has the undocumented status "${status}"; going on to wait`);
    }
    said.add(status);
  }

  return pWaitFor(ask, { interval: 0 });
}

/** The 202 named no time: as long as the time that has passed asks for, but a resumed wait may ask at once. */
function firstDelayMs(elapsedMs: number): number {
  return elapsedMs > 1_000 ? 0 : ownIntervalMs(elapsedMs);
}
