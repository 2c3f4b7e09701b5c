import * as routes from "../api/routes.ts";
import { accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { AnswerLostError, InitError, RequestFailedError } from "../errors.ts";
import type { Fields } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { adoptAttachment } from "./adopt-attachment.ts";
import { isAttached, whenCalm } from "./attached.ts";
import { isTakeOver } from "./check.ts";
import { type Ends, endsIn, resolved, track } from "./ends.ts";
import { SHOWS_WITHIN_MS } from "./gone.ts";
import { lookAgain } from "./lost.ts";
import { waitForAll } from "./pending.ts";
import { alone, registryOf } from "./registry.ts";
import type { PendingWork, Tracked } from "./state.ts";

/** How long an attach whose answer was lost is looked for. */
const LOST_SHOWS_WITHIN_MS = 15_000;

/** Attaches the volume and waits until one side shows it; one that is attached already, or that `adopt` names, is taken over. */
export async function attach(context: Context, inputs: Fields): Promise<Tracked> {
  const given = endsIn(inputs);
  const ends = {
    clusterId: await resolved(context, given.clusterId, "cluster"),
    storageId: await resolved(context, given.storageId, "storage volume"),
  };
  const takenOver = (taken: Ends): Tracked => {
    const tracked = track(context, inputs, taken);
    registryOf(context.api).takenOver.add(tracked.id);
    return tracked;
  };
  if (isTakeOver(inputs)) return takenOver(await adoptAttachment(context, inputs, ends));
  return alone(context.api, [ends.clusterId, ends.storageId], async () => {
    await whenCalm(context, ends);
    if ((await isAttached(context, ends)) === "yes") {
      context.say("info", `volume ${ends.storageId} is attached to cluster ${ends.clusterId} already: taken over`);
      return takenOver(ends);
    }
    const work = await post(context, ends);
    return work === "attached" ? track(context, inputs, ends) : finishAttach(context, inputs, ends, work, false);
  });
}

/** Attaching restarts all nodes, so it is not repeated before a look shows that a lost one has done nothing. */
async function post(context: Context, ends: Ends): Promise<PendingWork | "attached"> {
  for (let tries = 1; ; tries += 1) {
    const sinceMs = context.clock.now();
    try {
      const body = { storage_id: ends.storageId, cluster_ids: [ends.clusterId] };
      const { signal, mayBuy: beforeSending } = context;
      const answer = await context.api.call(routes.attach, { body, signal, beforeSending });
      const { requestIds } = accepted(answer.body, "storage_id");
      return { requestIds, sinceMs, askAfterMs: answer.askAgainAtMs };
    } catch (error) {
      if (!(error instanceof AnswerLostError)) throw error;
      const found = await becomes(context, ends, "yes").catch((stopped: unknown) => {
        // Stopped while it looks: that the attach may have taken effect must be known.
        throw context.signal.aborted ? error : stopped;
      });
      if (found === "done") return "attached";
      if (tries === 2 || found === "cannot look") throw error;
    }
  }
}

/** Looks whether a call whose answer was lost has attached the volume, or detached it. */
export function becomes(
  context: Context,
  ends: Ends,
  wanted: "yes" | "no",
): Promise<"done" | "absent" | "cannot look"> {
  const status = `looking whether volume ${ends.storageId} is ${wanted === "yes" ? "attached" : "detached"}`;
  return lookAgain(context, status, LOST_SHOWS_WITHIN_MS, async () => {
    await whenCalm(context, ends);
    const now = await isAttached(context, ends);
    return now === wanted ? "done" : now === "cannot look" ? now : "absent";
  });
}

/**
 * Waits for every request of an accepted attach, then until one side shows it.
 * @param isKnown whether the state holds it already
 * @throws InitError when the wait ends first, and when an attach that the state holds has come to nothing
 */
export async function finishAttach(
  context: Context,
  inputs: Fields,
  ends: Ends,
  work: PendingWork,
  isKnown: boolean,
): Promise<Tracked> {
  let { askAfterMs } = work;
  const { requestIds, sinceMs } = work;
  try {
    await waitForAll(context, work, (atMs) => {
      askAfterMs = atMs;
    });
    await whenCalm(context, ends);
    const isThere = await whenAttached(context, ends);
    const { id, outputs } = track(context, { ...inputs, requestId: requestIds[0] }, ends);
    if (!isThere) {
      throw new InitError(id, { ...outputs, status: "MISSING" }, [
        `Volume ${ends.storageId} is not attached to cluster ${ends.clusterId} although the API is through with attaching it (request ${requestIds.join(", ")}); it may have been detached since. ${context.api.advice.again("attach", "to attach it again")}`,
      ]);
    }
    context.report({ status: "attached" });
    return { id, outputs };
  } catch (error) {
    if (error instanceof InitError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof RequestFailedError) {
      if (!isKnown) throw error;
      const { id, outputs } = track(context, inputs, ends);
      const missing = `${why}. Volume ${ends.storageId} is not attached to cluster ${ends.clusterId}`;
      const reason = `${missing}. ${context.api.advice.again("attach", "to attach it again")}`;
      throw new InitError(id, { ...outputs, status: "FAILED" }, [reason], error);
    }
    // What a 429 has asked for must be kept for a later process too.
    askAfterMs = Math.max(askAfterMs ?? 0, context.api.pausedUntilMs) || undefined;
    const { id, outputs } = track(context, inputs, ends, { ...work, askAfterMs });
    const reason = `${why}. Attaching volume ${ends.storageId} to cluster ${ends.clusterId} goes on at the server (request ${requestIds.join(", ")}, since ${new Date(sinceMs).toISOString()}). ${context.api.advice.goOnAttaching(requestIds)}`;
    throw new InitError(id, outputs, [reason], error);
  }
}

function whenAttached(context: Context, ends: Ends): Promise<boolean> {
  let missingSinceMs: number | undefined;
  return poll(context, "waiting until the volume is attached", async () => {
    if (["yes", "cannot look"].includes(await isAttached(context, ends))) return true;
    missingSinceMs ??= context.clock.now();
    return context.clock.now() - missingSinceMs >= SHOWS_WITHIN_MS ? false : undefined;
  });
}
