import { type Accepted, accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { AnswerLostError, ApiError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { adopt, takeOver } from "./adopt.ts";
import { noCapacity, whenCapacity } from "./capacity.ts";
import { noCapacityIn } from "./capacity-words.ts";
import { isTakeOver } from "./check.ts";
import { finish } from "./finish.ts";
import type { ObjectKind } from "./kind.ts";
import { asFarAsKnown, lookForLost, refuseTwins } from "./lost-create.ts";
import { namesake } from "./orphan.ts";
import { priced, withPrice } from "./quote.ts";
import { registryOf } from "./registry.ts";
import type { Tracked } from "./state.ts";

/**
 * Creates an object, or takes over the one that an interrupted run of this very resource has bought. Looks before it
 * buys, and sends the create once; only a create that was lost and cannot be found within a minute is sent once more.
 * @throws InitError when the object exists and is not ready: the engine keeps it, and the next `pulumi up` goes on
 * @throws NoCapacityError when the API has none, also not within `capacityTimeout`
 */
export async function create(context: Context, kind: ObjectKind, inputs: Fields): Promise<Tracked> {
  if (isTakeOver(inputs)) return priced(context, kind, await adopt(context, kind, inputs));
  return whenCapacity(context, kind, inputs, () => createOnce(context, kind, inputs));
}

async function createOnce(context: Context, kind: ObjectKind, inputs: Fields): Promise<Tracked> {
  const there = await namesake(context, kind, inputs);
  if (typeof there !== "string") return priced(context, kind, await takeOver(context, kind, inputs, there));
  return buy(context, kind, await withPrice(context, kind, inputs), there === "absent");
}

async function buy(context: Context, kind: ObjectKind, inputs: Fields, couldLook: boolean): Promise<Tracked> {
  const { bought } = registryOf(context.api);
  let lost: AnswerLostError | undefined;
  for (let tries = 1; ; tries += 1) {
    const sinceMs = context.clock.now();
    const outcome = await post(context, kind, inputs).catch(async (error: unknown) => {
      // Stopped before the second sending: the first one may have come through all the same.
      throw lost !== undefined && context.signal.aborted ? await asFarAsKnown(context, kind, inputs, lost) : error;
    });
    if (!(outcome instanceof Error)) {
      const { id: objectId, requestIds, askAgainAtMs: askAfterMs } = outcome;
      if (objectId !== undefined) bought.add(objectId);
      if (tries > 1) await refuseTwins(context, kind, inputs, objectId);
      return finish(context, kind, inputs, { objectId, requestIds, sinceMs, askAfterMs });
    }
    if (outcome instanceof AnswerLostError) lost = outcome;
    const words = noCapacityIn(outcome);
    // A refusal promises that nothing was done.
    if (words !== undefined && lost === undefined) throw noCapacity(context, kind, inputs, words, outcome);
    const seen = couldLook ? await lookForLost(context, kind, inputs, outcome) : "cannot look";
    // The name was free before: what has it now is this create's own, if one has gone out that may have come through.
    if (typeof seen !== "string") {
      return takeOver(context, kind, inputs, seen, lost !== undefined && !bought.has(seen.id));
    }
    if (words !== undefined && seen === "absent") throw noCapacity(context, kind, inputs, words, outcome);
    if (tries === 2 || seen === "cannot look" || outcome !== lost) throw outcome;
    context.say("warning", `the create was lost and is not in the lists after 60 s: sending it once more`);
  }
}

/** Sends the create once. An error that is returned, and not thrown, leaves open whether an object came to be. */
async function post(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
): Promise<(Accepted & { askAgainAtMs: number | undefined }) | AnswerLostError | ApiError> {
  const route = kind.routes.create;
  context.report({ status: `creating ${kind.noun}` });
  registryOf(context.api).sentNames.add(text(inputs, "name") ?? "");
  try {
    const { signal, mayBuy: beforeSending } = context;
    const { status, body, askAgainAtMs } = await context.api.call(route, {
      body: kind.createBody(inputs),
      signal,
      beforeSending,
    });
    const handles = accepted(body, kind.idKey);
    if (handles.id !== undefined || handles.requestIds.length > 0) return { ...handles, askAgainAtMs };
    const why = `the answer ${status} names neither the object nor a request`;
    return new AnswerLostError(route.method, route.path, why, context.api.advice.answerLost);
  } catch (error) {
    if (error instanceof AnswerLostError) return error;
    // A name that is taken although the list had none of it: an earlier create may show up only now.
    const isTaken = error instanceof ApiError && (error.status === 409 || noCapacityIn(error) !== undefined);
    if (isTaken) return error;
    throw error;
  }
}
