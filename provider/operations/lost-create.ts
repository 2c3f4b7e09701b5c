import type { Context } from "../context.ts";
import { AnswerLostError, type ApiError, InitError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import type { ObjectKind } from "./kind.ts";
import { type Found, named } from "./look.ts";
import { lastLook, lookAgain } from "./lost.ts";
import { namesake } from "./orphan.ts";
import { registryOf } from "./registry.ts";
import { outputsOf } from "./state.ts";

/** A name that is taken although the list had none of it shows up sooner than a create that was lost. */
const TAKEN_SHOWS_WITHIN_MS = 5_000;
const LOST_SHOWS_WITHIN_MS = 60_000;

/**
 * Looks for the object of a create whose answer was lost, or whose name turned out to be taken.
 * @throws InitError when the look is stopped and the object is there
 */
export async function lookForLost(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  lost: AnswerLostError | ApiError,
): Promise<Found | "absent" | "cannot look"> {
  const withinMs = lost instanceof AnswerLostError ? LOST_SHOWS_WITHIN_MS : TAKEN_SHOWS_WITHIN_MS;
  try {
    const status = `looking for the ${kind.noun}: ${lost.message}`;
    return await lookAgain(context, status, withinMs, () => namesake(context, kind, inputs));
  } catch (error) {
    throw context.signal.aborted ? await asFarAsKnown(context, kind, inputs, lost) : error;
  }
}

/** Stopped while a lost create is looked for: one last look, so that what is billed is in the state if it is there. */
export async function asFarAsKnown(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  lost: AnswerLostError | ApiError,
): Promise<Error> {
  const there =
    lost instanceof AnswerLostError ? await lastLook(context, (one) => named(one, kind, [text(inputs, "name")])) : [];
  const id = there?.find((one) => !registryOf(context.api).bought.has(one.id))?.id;
  if (id === undefined) return lost;
  const pending = { requestIds: [], sinceMs: context.clock.now() };
  const outputs = outputsOf(kind.fields, inputs, { live: kind.derived(id), keyId: context.keyId, pending });
  return new InitError(id, outputs, [
    `Cannot finish creating ${kind.noun} ${id}: the answer to its create was lost and the wait was stopped, but it exists and is billed. ${context.api.advice.goOn(id)}`,
  ]);
}

/** The create that was taken for lost may have come through late: then there are two, and the user must know both. */
export async function refuseTwins(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  newId: string | undefined,
): Promise<void> {
  const twins = (await named(context, kind, [text(inputs, "name")]).catch(() => undefined)) ?? [];
  const older = twins.find(({ id }) => id !== newId);
  if (twins.length < 2 || older === undefined) return;
  const live = { ...older.live, ...kind.derived(older.id) };
  const outputs = outputsOf(kind.fields, inputs, { live, keyId: context.keyId });
  const ids = twins.map(({ id }) => id).join(" and ");
  throw new InitError(older.id, outputs, [
    `A create whose answer was lost has come through late: ${ids} both exist and are billed. This resource now holds ${older.id}; destroy the other one with the tp command or in the dashboard`,
  ]);
}
