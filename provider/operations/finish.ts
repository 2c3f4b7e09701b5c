import type { Context } from "../context.ts";
import { InitError, RequestFailedError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { noCapacity } from "./capacity.ts";
import { noCapacityIn } from "./capacity-words.ts";
import { BEYOND_REPAIR } from "./diff.ts";
import { refuseOtherKey } from "./gone.ts";
import type { ObjectKind } from "./kind.ts";
import { named } from "./look.ts";
import { lastLook } from "./lost.ts";
import { waitForAll } from "./pending.ts";
import { beyondRepair, failedAndThere, failedForGood, missing, stillRunning } from "./reasons.ts";
import { leftOver, whenReady, whenShown } from "./shown.ts";
import { outputsOf, type PendingWork, pulumiId, type Tracked } from "./state.ts";

/** An accepted create, as far as it is known. */
export interface Work extends PendingWork {
  readonly objectId: string | undefined;
  /** Pulumi's id, where it has one already: an update cannot change it. */
  readonly id?: string;
}

/**
 * Waits until an accepted create is through and the object is ready. Create and every later resume share this.
 * @throws InitError, with all that is known, whenever the object may exist and is not ready
 * @throws RequestFailedError when the create has failed and left nothing; NoCapacityError when for want of capacity
 */
export async function finish(context: Context, kind: ObjectKind, inputs: Fields, work: Work): Promise<Tracked> {
  const { advice } = context.api;
  const { requestIds, sinceMs } = work;
  const [requestId] = requestIds;
  const name = text(inputs, "name");
  let { objectId, askAfterMs } = work;
  // Whether the key in use is the one that the object belongs to: it has created it, or been told of it.
  let isProven = work.id === undefined;

  function track(live: Fields = {}, pending?: PendingWork): Tracked {
    const id = work.id ?? pulumiId(objectId, requestIds);
    const outputs = outputsOf(kind.fields, inputs, {
      live: { ...(objectId && kind.derived(objectId)), ...live },
      keyId: isProven ? context.keyId : undefined,
      requestId,
      objectId: id === objectId ? undefined : objectId,
      pending,
    });
    return { id, outputs };
  }

  function isMissing(): InitError {
    if (!isProven) refuseOtherKey(context, kind.noun, objectId ?? `"${name ?? ""}"`, inputs);
    return unready(track({ status: "MISSING" }), missing(advice, kind, objectId, requestId));
  }

  try {
    const verdicts = await waitForAll(context, work, (atMs) => {
      askAfterMs = atMs;
    });
    for (const verdict of verdicts) {
      if (verdict.kind !== "completed") continue;
      isProven = true;
      objectId ??= verdict.objectId;
    }
    if (objectId === undefined) {
      const shown = await whenShown(context, kind, inputs);
      if (shown === "cannot look") return track();
      if (shown === "missing") throw isMissing();
      objectId = shown.id;
    }
    const ready = await whenReady(context, kind, objectId);
    if (ready === "cannot look") return track();
    if (ready === "missing") throw isMissing();
    isProven = true;
    if (!BEYOND_REPAIR.includes(text(ready.live, "status") ?? "")) return track(ready.live);
    throw unready(track(ready.live), beyondRepair(advice, kind, objectId, ready.live));
  } catch (error) {
    if (error instanceof InitError) throw error;
    if (error instanceof RequestFailedError) {
      isProven = true;
      const left = await leftOver(context, kind, inputs, objectId);
      if (left === "nothing" && work.id === undefined) {
        const words = noCapacityIn(error);
        throw words === undefined
          ? failedForGood(advice, error, kind, inputs)
          : noCapacity(context, kind, inputs, words, error);
      }
      const live = typeof left === "string" ? {} : left.live;
      objectId ??= typeof left === "string" ? undefined : left.id;
      throw unready(track({ ...live, status: "FAILED" }), failedAndThere(advice, error, kind, objectId, left), error);
    }
    objectId ??= (await lastLook(context, (one) => named(one, kind, [name])))?.[0]?.id;
    // What a 429 has asked for must be kept for a later process too.
    askAfterMs = Math.max(askAfterMs ?? 0, context.api.pausedUntilMs) || undefined;
    const pending = { requestIds, sinceMs, askAfterMs };
    const reason = stillRunning(advice, kind, name ?? context.resource, objectId, pending, error);
    throw unready(track({}, pending), reason, error);
  }
}

function unready(tracked: Tracked, reason: string, cause?: unknown): InitError {
  return new InitError(tracked.id, tracked.outputs, [reason], cause);
}
