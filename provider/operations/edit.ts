import { isDeepStrictEqual } from "node:util";
import { accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { InitError, StoppedError } from "../errors.ts";
import type { Fields } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { waitForRequest } from "../wait/request.ts";
import type { ObjectKind } from "./kind.ts";
import { listed, seen } from "./look.ts";
import { objectIdOf, outputsOf, type Tracked } from "./state.ts";

/**
 * Changes in place what differs between a ready object and `inputs`, and waits until the server shows it: an edit is
 * answered without a request to ask for.
 * @returns the new outputs
 * @throws InitError when the wait ends before the server shows it; the next `pulumi up` sends what still differs
 */
export async function edit(context: Context, kind: ObjectKind, tracked: Tracked, inputs: Fields): Promise<Fields> {
  const { id, outputs } = tracked;
  const objectId = objectIdOf(id, outputs);
  const changes = Object.fromEntries(
    Object.entries(inputs).filter(
      ([key, value]) =>
        kind.fields[key]?.change === "updates" && value !== null && !isDeepStrictEqual(outputs[key], value),
    ),
  );
  const done = (live?: Fields): Fields =>
    outputsOf(kind.fields, inputs, {
      before: outputs,
      live: { ...live, ...(objectId && kind.derived(objectId)) },
      keyId: live && context.keyId,
      objectId: objectId === id ? undefined : objectId,
    });
  if (Object.keys(changes).length === 0) return done();
  if (objectId === undefined) {
    throw new Error(
      `Cannot change ${kind.noun} "${context.resource}": its id is not known yet. Run pulumi refresh, then pulumi up`,
    );
  }
  const answer = await context.api.call(kind.routes.edit, {
    id: objectId,
    body: kind.editBody(changes),
    signal: context.signal,
  });
  const sinceMs = context.clock.now();
  try {
    for (const requestId of accepted(answer.body, kind.idKey).requestIds) {
      await waitForRequest(context, { requestId, sinceMs, askAfterMs: answer.askAgainAtMs });
    }
    const keys = Object.keys(changes);
    const live = await poll(
      context,
      `waiting until ${keys.join(" and ")} ${keys.length > 1 ? "are" : "is"} changed`,
      async () => {
        const found = await seen(context, kind, objectId);
        if (found === undefined) return (await listed(context, kind)) === undefined ? {} : undefined;
        const isSeen = keys.every(
          (key) => found.live[key] === undefined || isDeepStrictEqual(found.live[key], changes[key]),
        );
        return isSeen ? found.live : undefined;
      },
    );
    return done(live);
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    // The old values stay in the outputs, so diff still finds the difference.
    throw new InitError(
      id,
      outputs,
      [
        `${error.message}. The change of ${Object.keys(changes).join(", ")} of ${kind.noun} ${objectId} was accepted and goes on at the server. Run pulumi up to go on waiting`,
      ],
      error,
    );
  }
}
