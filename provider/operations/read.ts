import type { Context } from "../context.ts";
import { type Fields, text } from "../json.ts";
import { lookUp, lookUpLong } from "./gone.ts";
import { KEY_ID, PENDING } from "./hidden.ts";
import type { ObjectKind } from "./kind.ts";
import { type Found, named } from "./look.ts";
import { isOver, storyOf } from "./pending.ts";
import { seenLately } from "./recent.ts";
import { inputsOf, objectIdOf, outputsOf, type PendingWork, pendingOf, type Reading, requestIn } from "./state.ts";

/**
 * Reads an object for `pulumi refresh` and for `.get`.
 * @throws Error when `.get` names nothing that exists, or the object is not there for this key but was for another
 */
export async function read(context: Context, kind: ObjectKind, id: string, olds: Fields): Promise<Reading> {
  const isGet = olds[KEY_ID] === undefined;
  const pending = pendingOf(olds);
  const story = pending && (await storyOf(context, pending.requestIds[0], pending.askAfterMs));
  const knownId = objectIdOf(id, olds) ?? story?.objectId;
  const objectId =
    knownId ?? (await (story ? idByName(context, kind, olds) : idByRequestOrName(context, kind, id, olds)));
  const waiting = pending && { ...pending, askAfterMs: story?.askAgainAtMs ?? pending.askAfterMs };
  const outputs = waiting === undefined ? olds : { ...olds, [PENDING]: waiting };
  const kept: Reading = { id: objectId ?? id, outputs, inputs: inputsOf(kind.fields, olds) };
  // While a create is under way, no answer means that the object is gone.
  if (objectId === undefined) return story?.status === "FAILED" ? "gone" : kept;
  const lately = isGet || pending !== undefined ? undefined : await seenLately(context, kind, objectId, olds);
  const found = lately ?? (await (story === undefined ? lookUpLong : lookUp)(context, kind, objectId, olds));
  if (found === "gone" && isGet) throw new Error(`Cannot get ${kind.noun} "${objectId}": the API knows no such id`);
  if (found === "gone" && (story === undefined || story.status === "FAILED")) return "gone";
  if (found === "gone" && story?.status === "COMPLETED") {
    context.say(
      "warning",
      `the API reports the create of ${kind.noun} ${objectId} as COMPLETED but does not show it; the state keeps it`,
    );
  }
  if (found === "gone" || found === "cannot look") return kept;
  const stillWaiting = story && isOver(story) ? undefined : waiting;
  return reading(context, kind, olds, found, stillWaiting, story?.status === "FAILED" ? { status: "FAILED" } : {});
}

function reading(
  context: Context,
  kind: ObjectKind,
  olds: Fields,
  found: Found,
  pending: PendingWork | undefined,
  extra: Fields,
): Reading {
  const outputs = outputsOf(kind.fields, olds, {
    before: olds,
    // What was said of it while it could not be seen no longer counts.
    live: { status: undefined, ...found.live, ...kind.derived(found.id), ...extra },
    keyId: context.keyId,
    pending,
  });
  return { id: found.id, outputs, inputs: inputsOf(kind.fields, outputs) };
}

/** What a placeholder id stands for, where it can be found out by now. */
export async function idByRequestOrName(
  context: Context,
  kind: ObjectKind,
  id: string,
  olds: Fields,
): Promise<string | undefined> {
  const { objectId } = await storyOf(context, requestIn(id)[0]);
  return objectId ?? idByName(context, kind, olds);
}

async function idByName(context: Context, kind: ObjectKind, olds: Fields): Promise<string | undefined> {
  const there = (await named(context, kind, [text(olds, "name")])) ?? [];
  return there.length === 1 ? there[0]?.id : undefined;
}
