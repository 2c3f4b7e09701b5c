import * as routes from "../api/routes.ts";
import { requestInfo } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError, RequestFailedError } from "../errors.ts";
import type { Fields } from "../json.ts";
import { type Verdict, waitForRequest } from "../wait/request.ts";
import { type PendingWork, pendingOf } from "./state.ts";

/**
 * Waits for all requests of an accepted operation, one after the other.
 * @param seen is told when the next question will be allowed, to be kept where a later process finds it
 * @throws what waitForRequest throws
 */
export async function waitForAll(
  context: Context,
  { requestIds, sinceMs, askAfterMs }: PendingWork,
  seen?: (askAfterMs: number) => void,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const requestId of requestIds) {
    verdicts.push(await waitForRequest(context, { requestId, sinceMs, askAfterMs }, seen));
  }
  return verdicts;
}

/** Waits until what an earlier run has begun is through; says whether any of it has failed. */
export async function outwait(context: Context, olds: Fields): Promise<"through" | "failed"> {
  const pending = pendingOf(olds);
  let outcome: "through" | "failed" = "through";
  for (const requestId of pending?.requestIds ?? []) {
    try {
      await waitForAll(context, { sinceMs: 0, ...pending, requestIds: [requestId] });
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      outcome = "failed";
    }
  }
  return outcome;
}

export interface Story {
  readonly status: string;
  readonly objectId: string | undefined;
  /** When the server allows the next question, which another process may ask. */
  readonly askAgainAtMs?: number | undefined;
}

/** Asks once how an accepted request stands. A server that does not answer has said nothing. */
export async function storyOf(context: Context, requestId: string | undefined, askAfterMs = 0): Promise<Story> {
  if (requestId === undefined) return { status: "", objectId: undefined };
  const { api, signal } = context;
  try {
    const answer = await api.call(routes.requestInfo, { id: requestId, notBeforeMs: askAfterMs, signal });
    return { ...requestInfo(answer.body), askAgainAtMs: answer.askAgainAtMs };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error;
    return { status: "", objectId: undefined, askAgainAtMs: error.askAgainAtMs };
  }
}

export function isOver({ status }: Story): boolean {
  return status === "COMPLETED" || status === "FAILED";
}

/** Asks once whether accepted work is still under way: `undefined` when all its requests have a verdict. */
export async function stillPending(
  context: Context,
  pending: PendingWork | undefined,
): Promise<PendingWork | undefined> {
  if (pending === undefined) return undefined;
  let { askAfterMs } = pending;
  let areOver = true;
  for (const requestId of pending.requestIds) {
    const story = await storyOf(context, requestId, pending.askAfterMs);
    askAfterMs = story.askAgainAtMs ?? askAfterMs;
    areOver &&= isOver(story);
  }
  return areOver ? undefined : { ...pending, askAfterMs };
}
