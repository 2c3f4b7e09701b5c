import { isDeepStrictEqual } from "node:util";
import { type Accepted, accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError, InitError } from "../errors.ts";
import type { Fields } from "../json.ts";
import { poll } from "../wait/poll.ts";
import type { ObjectKind } from "./kind.ts";
import { listed, seen } from "./look.ts";
import { waitForAll } from "./pending.ts";
import { repriced } from "./quote.ts";
import { objectIdOf, outputsOf, type Tracked } from "./state.ts";

/**
 * Changes in place what differs between a ready object and `inputs`, and waits until the server shows it.
 * @returns the new outputs
 * @throws InitError when the change was sent and the server does not show it (yet): what was to be changed is unknown from
 * then on (null), so that the next `pulumi up` sends it again, or the old value when the program has gone back to it
 */
export async function edit(context: Context, kind: ObjectKind, tracked: Tracked, inputs: Fields): Promise<Fields> {
  const { id, outputs } = tracked;
  const objectId = objectIdOf(id, outputs);
  const changes = changesOf(kind, outputs, inputs);
  const keys = Object.keys(changes);
  const done = (before: Fields, live?: Fields): Fields =>
    outputsOf(kind.fields, inputs, {
      before,
      live: { ...live, ...(objectId && kind.derived(objectId)) },
      keyId: live && context.keyId,
      objectId: objectId === id ? undefined : objectId,
    });
  if (keys.length === 0) return done(outputs);
  if (objectId === undefined) {
    throw new Error(
      `Cannot change ${kind.noun} "${context.resource}": its id is not known yet. ${context.api.advice.noId}`,
    );
  }
  const before = await repriced(context, kind, outputs, inputs);
  const sinceMs = context.clock.now();
  let hasSent = false;
  try {
    const { requestIds, askAfterMs } = await patch(context, kind, objectId, changes);
    hasSent = true;
    await waitForAll(context, { requestIds, sinceMs, askAfterMs });
    return done(before, await whenChanged(context, kind, objectId, changes));
  } catch (error) {
    if (!hasSent && hasDoneNothing(error)) {
      // Refused, perhaps because an earlier run has done it already, and could not see that.
      const isUnknown = keys.some((key) => (outputs[key] ?? null) === null);
      const live = isUnknown ? (await seen(context, kind, objectId).catch(() => undefined))?.live : undefined;
      if (live !== undefined && shows(live, changes)) return done(before, live);
      throw error;
    }
    const why = error instanceof Error ? error.message : String(error);
    const again = context.api.advice.again("edit", "to send it again and wait until it shows");
    const reason = `${why}. Whether the change of ${keys.join(", ")} of ${kind.noun} ${objectId} takes effect is not known. ${again}`;
    throw new InitError(id, { ...outputs, ...Object.fromEntries(keys.map((key) => [key, null])) }, [reason], error);
  }
}

function changesOf(kind: ObjectKind, outputs: Fields, inputs: Fields): Fields {
  const changes = Object.entries(inputs).filter(
    ([key, value]) =>
      kind.fields[key]?.change === "updates" && value !== null && !isDeepStrictEqual(outputs[key], value),
  );
  return Object.fromEntries(changes);
}

async function patch(
  { api, signal }: Context,
  kind: ObjectKind,
  id: string,
  changes: Fields,
): Promise<Accepted & { askAfterMs: number | undefined }> {
  const { body, askAgainAtMs } = await api.call(kind.routes.edit, { id, body: kind.editBody(changes), signal });
  return { ...accepted(body, kind.idKey), askAfterMs: askAgainAtMs };
}

/** As far as is known an edit names no request to ask for: the object itself must tell. */
async function whenChanged(context: Context, kind: ObjectKind, id: string, changes: Fields): Promise<Fields> {
  const keys = Object.keys(changes);
  const status = `${keys.join(" and ")} ${keys.length > 1 ? "are" : "is"} changed`;
  const live = await poll(context, `waiting until ${status}`, async () => {
    const found = await seen(context, kind, id);
    if (found === undefined) return (await listed(context, kind)) === undefined ? {} : undefined;
    // What the record does not tell cannot be waited for.
    return shows({ ...changes, ...found.live }, changes) ? found.live : undefined;
  });
  context.report({ status });
  return live;
}

function shows(live: Fields, changes: Fields): boolean {
  return Object.entries(changes).every(([key, value]) => isDeepStrictEqual(live[key], value));
}

/** Whether the call was refused, or stopped before it was sent: then all is as it was. */
function hasDoneNothing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  const { status = 500, attempts } = error;
  return attempts === 1 && status < 500 && status !== 408;
}
