import * as routes from "../api/routes.ts";
import { accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError, RequestFailedError } from "../errors.ts";
import { type Looking, seen } from "../operations/look.ts";
import { poll } from "../wait/poll.ts";
import { waitForRequest } from "../wait/request.ts";
import { type Job, jobRecord } from "./records.ts";

/** What has become of a job that was to be cancelled. */
export interface CancelResult {
  /** `already finished`: the job had ended by itself, or did before the cancel reached it. */
  readonly outcome: "cancelled" | "already finished";
  readonly job: Job;
}

const ENDED = ["completed", "error", "failed"];
const CANCELLED = ["canceled", "cancelled"];
const CANCELLING = ["canceling", "cancelling"];

/** Cancels a job and waits until it is over: by its request where the answer names one, and by its own status. */
export async function cancelJob(context: Context, jobs: Looking, id: string): Promise<CancelResult> {
  const sent = await send(context, id);
  if (sent instanceof Error) {
    // Refused: it may be over already, or on its way by an earlier cancel.
    const job = await jobNow(context, jobs, id);
    const isOnItsWay = CANCELLING.includes(job?.status ?? "");
    if (job === undefined || (resultOf(job) === undefined && !isOnItsWay)) throw sent;
  }
  return poll(context, `waiting until job ${id} is over`, async () => {
    const job = await jobNow(context, jobs, id);
    if (job === undefined) {
      // A server that shows no jobs: its word on the request is all there is.
      if (sent === "completed") return { outcome: "cancelled", job: jobRecord(id, {}) };
      throw new Error(`Cannot tell whether job ${id} is over: its cancel was accepted, and the API no longer shows it`);
    }
    const result = resultOf(job);
    if (result === undefined && job.status !== undefined) context.report({ status: job.status });
    return result;
  });
}

/** Sends the cancel; an error that is returned, and not thrown, is the server's refusal. */
async function send(context: Context, id: string): Promise<"completed" | "accepted" | Error> {
  const { api, clock, signal } = context;
  try {
    const sinceMs = clock.now();
    const answer = await api.call(routes.cancelJob, { id, signal });
    const { requestIds } = accepted(answer.body, "job_id");
    let isCompleted = requestIds.length > 0;
    for (const requestId of requestIds) {
      const verdict = await waitForRequest(context, { requestId, sinceMs, askAfterMs: answer.askAgainAtMs });
      isCompleted &&= verdict.kind === "completed";
    }
    return isCompleted ? "completed" : "accepted";
  } catch (error) {
    if (error instanceof RequestFailedError) return error;
    const isRefused = error instanceof ApiError && [400, 404, 409, 410, 422].includes(error.status ?? 0);
    if (isRefused) return error;
    throw error;
  }
}

async function jobNow(context: Context, jobs: Looking, id: string): Promise<Job | undefined> {
  const found = await seen(context, jobs, id);
  return found && jobRecord(found.id, found.live);
}

function resultOf(job: Job): CancelResult | undefined {
  if (CANCELLED.includes(job.status ?? "")) return { outcome: "cancelled", job };
  return ENDED.includes(job.status ?? "") ? { outcome: "already finished", job } : undefined;
}
