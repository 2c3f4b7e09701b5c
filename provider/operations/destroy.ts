import { accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError, RequestFailedError, StoppedError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { lookUp, lookUpLong, refuseOtherKey } from "./gone.ts";
import type { ObjectKind } from "./kind.ts";
import { named } from "./look.ts";
import { outwait, waitForAll } from "./pending.ts";
import { idByRequestOrName } from "./read.ts";
import { mustStay, registryOf } from "./registry.ts";
import { objectIdOf } from "./state.ts";

/** How long after COMPLETED a destroyed object may still be shown before that is worth a warning. */
const VANISHES_WITHIN_MS = 60_000;

/** Statuses that tell, after DESTROYING, that the server has given up. */
const STAYS: readonly string[] = ["FAILED", "RUNNING", "READY"];

/**
 * Destroys an object and returns when it is gone. Looks first, so that a run after a stopped one asks nothing twice.
 * @throws Error when it is protected, or when the wait ends first: the destroy then goes on at the server
 */
export async function destroy(context: Context, kind: ObjectKind, id: string, olds: Fields): Promise<void> {
  const hasFailed = (await outwait(context, olds)) === "failed";
  const objectId = objectIdOf(id, olds) ?? (await idByRequestOrName(context, kind, id, olds));
  if (objectId === undefined) {
    const name = text(olds, "name");
    // A create that never gave an id has left nothing when the lists can be seen, with the right key, and lack it.
    if ((await named(context, kind, [name]))?.length === 0)
      return refuseOtherKey(context, kind.noun, `"${name ?? ""}"`, olds);
    throw new Error(
      `Cannot destroy ${kind.noun} "${name ?? context.resource}": its id is not known (${id}) and the API cannot be asked for it. Look for it in the dashboard, and destroy it there${context.api.advice.forget}`,
    );
  }
  if (mustStay(context, kind.noun, objectId)) return;
  try {
    await untilDestroyed(context, kind, objectId, olds, hasFailed);
    context.report({ status: "destroyed" });
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    const goesOn = registryOf(context.api).destroyed.has(objectId)
      ? "The destroy was accepted and goes on at the server"
      : "Nothing was sent";
    const { advice } = context.api;
    const next = `${advice.again("destroy", "again")}${advice.refresh}`;
    throw new Error(`${error.message}. ${goesOn}. ${next}`, { cause: error });
  }
}

/** @param hasFailed its create has: where it is not seen now, it is not there */
async function untilDestroyed(
  context: Context,
  kind: ObjectKind,
  id: string,
  olds: Fields,
  hasFailed: boolean,
): Promise<void> {
  const { api, signal } = context;
  const found = await (hasFailed ? lookUp : lookUpLong)(context, kind, id, olds);
  if (found === "gone") return;
  if (found !== "cannot look") {
    if (found.live["status"] === "DESTROYING") {
      registryOf(api).destroyed.add(id);
      return untilGone(context, kind, id, olds);
    }
    if (found.live["deletionProtection"] === true)
      throw new Error(`Cannot destroy ${kind.noun} ${id}: deletionProtection is on. ${api.advice.unprotect}`);
  }
  const sinceMs = context.clock.now();
  try {
    const answer = await api.call(kind.routes.destroy, { id, signal });
    registryOf(api).destroyed.add(id);
    const { requestIds } = accepted(answer.body, kind.idKey);
    const verdicts = await waitForAll(context, { requestIds, sinceMs, askAfterMs: answer.askAgainAtMs });
    // Of a request that the server has forgotten, only the object itself can tell how it went.
    const isCompleted = verdicts.length > 0 && verdicts.every(({ kind: verdict }) => verdict === "completed");
    if (found !== "cannot look") await untilGone(context, kind, id, olds, isCompleted);
  } catch (error) {
    if (error instanceof RequestFailedError) {
      registryOf(api).destroyed.delete(id);
      throw new RequestFailedError(
        error.requestId,
        error.serverMessage,
        `${kind.noun} ${id} could not be destroyed and is still billed. ${api.advice.again("destroy", "again")}`,
      );
    }
    if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) throw error;
    // Refused: it may be on its way out already, by somebody else's hand or by a call whose answer was lost.
    const now = await lookUp(context, kind, id, olds);
    if (now === "gone") return;
    if (now === "cannot look" || now.live["status"] !== "DESTROYING") throw error;
    registryOf(api).destroyed.add(id);
    await untilGone(context, kind, id, olds);
  }
}

/** @param isCompleted the server has said COMPLETED: what it still shows later than a minute on is only worth a warning */
async function untilGone(
  context: Context,
  kind: ObjectKind,
  id: string,
  olds: Fields,
  isCompleted = false,
): Promise<void> {
  const sinceMs = context.clock.now();
  let wasLeaving = false;
  await poll(context, `waiting until ${kind.noun} ${id} is gone`, async () => {
    const found = await lookUp(context, kind, id, olds);
    if (found === "gone" || found === "cannot look") return true;
    const status = text(found.live, "status");
    if (wasLeaving && status !== undefined && STAYS.includes(status)) {
      registryOf(context.api).destroyed.delete(id);
      throw new Error(
        `Cannot destroy ${kind.noun} ${id}: the API has begun to and has given up; it is ${status} and still billed. ${context.api.advice.again("destroy", "again")}`,
      );
    }
    wasLeaving ||= status === "DESTROYING";
    if (!isCompleted || context.clock.now() - sinceMs < VANISHES_WITHIN_MS) return undefined;
    context.say(
      "warning",
      `the API reports ${kind.noun} ${id} as destroyed and still shows it; check that it is no longer billed`,
    );
    return true;
  });
}
