import * as routes from "../api/routes.ts";
import { requestInfo } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { lookUp, lookUpLong } from "./gone.ts";
import { KEY_ID, PENDING } from "./hidden.ts";
import type { ObjectKind } from "./kind.ts";
import { type Found, listed } from "./look.ts";
import { seenLately } from "./recent.ts";
import { inputsOf, objectIdOf, outputsOf, type PendingWork, pendingOf, type Reading, requestIn } from "./state.ts";

/**
 * Reads an object for `pulumi refresh` and for `.get`.
 * @throws Error when `.get` names nothing that exists, or the object is not there for this key but was for another
 */
export async function read(context: Context, kind: ObjectKind, id: string, olds: Fields): Promise<Reading> {
  const isGet = olds[KEY_ID] === undefined;
  const pending = pendingOf(olds);
  const story = pending?.operation === "create" ? await storyOf(context, pending) : undefined;
  const knownId = objectIdOf(id, olds) ?? story?.objectId;
  const objectId = knownId ?? (await (story === undefined ? idByRequestOrName : idByName)(context, kind, id, olds));
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
  const isOver = story?.status === "COMPLETED" || story?.status === "FAILED";
  return reading(
    context,
    kind,
    olds,
    found,
    isOver ? undefined : waiting,
    story?.status === "FAILED" ? { status: "FAILED" } : {},
  );
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

export interface Story {
  readonly status: string;
  readonly objectId: string | undefined;
  /** When the server allows the next question, which another process may ask. */
  readonly askAgainAtMs?: number | undefined;
}

/** Asks once how a pending create stands. A server that does not answer has said nothing. */
export async function storyOf(context: Context, pending: PendingWork): Promise<Story> {
  const [requestId] = pending.requestIds;
  if (requestId === undefined) return { status: "", objectId: undefined };
  try {
    const notBeforeMs = pending.askAfterMs ?? 0;
    const answer = await context.api.call(routes.requestInfo, { id: requestId, notBeforeMs, signal: context.signal });
    return { ...requestInfo(answer.body), askAgainAtMs: answer.askAgainAtMs };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error;
    return { status: "", objectId: undefined, askAgainAtMs: error.askAgainAtMs };
  }
}

/** What a placeholder id stands for, where it can be found out by now. */
export async function idByRequestOrName(
  context: Context,
  kind: ObjectKind,
  id: string,
  olds: Fields,
): Promise<string | undefined> {
  for (const requestId of requestIn(id)) {
    const { objectId } = await storyOf(context, { operation: "create", requestIds: [requestId], sinceMs: 0 });
    if (objectId !== undefined) return objectId;
  }
  return idByName(context, kind, id, olds);
}

async function idByName(context: Context, kind: ObjectKind, _id: string, olds: Fields): Promise<string | undefined> {
  const name = text(olds, "name");
  const there =
    name === undefined ? [] : ((await listed(context, kind)) ?? []).filter(({ live }) => live["name"] === name);
  return there.length === 1 ? there[0]?.id : undefined;
}
