import type { Context } from "../context.ts";
import { InitError, RequestFailedError, StoppedError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { waitForRequest } from "../wait/request.ts";
import { BEYOND_REPAIR, ON_ITS_WAY } from "./diff.ts";
import { refuseOtherKey, SHOWS_WITHIN_MS } from "./gone.ts";
import type { ObjectKind } from "./kind.ts";
import { type Found, listed, seen } from "./look.ts";
import { outputsOf, type PendingWork, pulumiId, type Tracked } from "./state.ts";

/** An accepted create, as far as it is known. */
export interface Work extends PendingWork {
  readonly objectId: string | undefined;
  /** Pulumi's id, where it has one already: an update cannot change it. */
  readonly id?: string;
}

/** How long the id of an object may be looked for after Ctrl-C. */
const LAST_LOOK_MS = 10_000;

/**
 * Waits until an accepted create is through and the object is ready. Create and every later resume share this.
 * @throws InitError, with all that is known, whenever the object may exist and is not ready
 * @throws RequestFailedError when the create has failed and left nothing
 */
export async function finish(context: Context, kind: ObjectKind, inputs: Fields, work: Work): Promise<Tracked> {
  let { objectId, askAfterMs } = work;
  const requestId = work.requestIds[0];
  // Whether the key in use is the one that the object belongs to: it has created it, or been told of it.
  let isProven = work.id === undefined;
  const track = (live?: Fields, extra: Fields = {}, isPending = false): Tracked => {
    const id = work.id ?? pulumiId(objectId, work.requestIds);
    const { operation, requestIds, sinceMs } = work;
    const outputs = outputsOf(kind.fields, inputs, {
      live: { ...live, ...(objectId && kind.derived(objectId)), ...extra },
      keyId: isProven ? context.keyId : undefined,
      requestId,
      objectId: id === objectId ? undefined : objectId,
      pending: isPending ? { operation, requestIds, sinceMs, askAfterMs } : undefined,
    });
    return { id, outputs };
  };
  try {
    for (const requestId of work.requestIds) {
      const pending = { requestId, sinceMs: work.sinceMs, askAfterMs };
      const verdict = await waitForRequest(context, pending, (atMs) => {
        askAfterMs = atMs;
      });
      if (verdict.kind !== "completed") continue;
      isProven = true;
      objectId ??= verdict.objectId;
    }
    if (objectId === undefined) {
      const shown = await whenShown(context, kind, inputs);
      if (shown === "cannot look") return track();
      if (shown === "missing") {
        if (!isProven) refuseOtherKey(context, kind.noun, `"${text(inputs, "name") ?? ""}"`, inputs);
        throw unready(track({}, { status: "MISSING" }), [missing(kind, undefined, requestId)]);
      }
      objectId = shown.id;
    }
    const ready = await whenReady(context, kind, objectId);
    if (ready === "cannot look") return track();
    if (ready === "missing") {
      if (!isProven) refuseOtherKey(context, kind.noun, objectId, inputs);
      throw unready(track({}, { status: "MISSING" }), [missing(kind, objectId, requestId)]);
    }
    isProven = true;
    const status = text(ready.live, "status") ?? "";
    if (BEYOND_REPAIR.includes(status)) {
      throw unready(track(ready.live), [`${kind.noun} ${objectId} is ${status}. ${howToReplace(kind, ready.live)}`]);
    }
    return track(ready.live);
  } catch (error) {
    if (error instanceof InitError) throw error;
    if (error instanceof RequestFailedError) {
      isProven = true;
      const left = await leftOver(context, kind, inputs, objectId);
      objectId ??= left === "unknown" ? undefined : left?.id;
      if (left === undefined && work.id === undefined) throw failedForGood(error, kind, inputs);
      const live = left === undefined || left === "unknown" ? {} : left.live;
      throw unready(track(live, { status: "FAILED" }), [failedAndThere(error, kind, objectId, left)], error);
    }
    objectId ??= await lastLook(context, kind, inputs);
    // What a 429 has asked for must be kept for a later process too.
    askAfterMs = Math.max(askAfterMs ?? 0, context.api.pausedUntilMs) || undefined;
    throw unready(track(undefined, {}, true), [stillRunning(context, kind, work, objectId, inputs, error)], error);
  }
}

function unready(tracked: Tracked, reasons: string[], cause?: unknown): InitError {
  return new InitError(tracked.id, tracked.outputs, reasons, cause);
}

async function namesake(context: Context, kind: ObjectKind, inputs: Fields): Promise<Found | undefined> {
  const name = text(inputs, "name");
  return name === undefined ? undefined : (await listed(context, kind))?.find(({ live }) => live["name"] === name);
}

/** The object by its name: a server that tells no id still lists it, sooner or later. */
async function whenShown(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
): Promise<Found | "missing" | "cannot look"> {
  const name = text(inputs, "name");
  const sinceMs = context.clock.now();
  return poll(context, `looking for the ${kind.noun}`, async () => {
    const list = name === undefined ? undefined : await listed(context, kind);
    if (list === undefined) return "cannot look";
    const found = list.find(({ live }) => live["name"] === name);
    return found ?? (context.clock.now() - sinceMs >= SHOWS_WITHIN_MS ? "missing" : undefined);
  });
}

async function whenReady(context: Context, kind: ObjectKind, id: string): Promise<Found | "missing" | "cannot look"> {
  let missingSinceMs: number | undefined;
  return poll(context, `waiting for ${kind.noun} ${id}`, async () => {
    const found = await seen(context, kind, id);
    if (found !== undefined) {
      missingSinceMs = undefined;
      const status = text(found.live, "status") ?? "";
      context.report({ status: status || "completed" });
      return ON_ITS_WAY.includes(status) ? undefined : found;
    }
    const list = await listed(context, kind);
    if (list === undefined) return "cannot look";
    missingSinceMs ??= context.clock.now();
    return context.clock.now() - missingSinceMs >= SHOWS_WITHIN_MS ? "missing" : undefined;
  });
}

/** What a failed create has left: an object, nothing, or nobody can tell. */
async function leftOver(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  id: string | undefined,
): Promise<Found | undefined | "unknown"> {
  try {
    const found = id === undefined ? undefined : await seen(context, kind, id);
    if (found !== undefined) return found.live["status"] === "DESTROYED" ? undefined : found;
    const list = await listed(context, kind);
    const name = text(inputs, "name");
    if (list === undefined) return "unknown";
    return list.find((one) => (id === undefined ? one.live["name"] === name : one.id === id));
  } catch {
    return "unknown";
  }
}

/** The wait is over without a verdict, but an id is worth a little more time. */
export async function lastLook(context: Context, kind: ObjectKind, inputs: Fields): Promise<string | undefined> {
  const limit = new AbortController();
  const ended = new AbortController();
  context.clock.sleep(LAST_LOOK_MS, ended.signal).then(
    () => limit.abort(),
    () => undefined,
  );
  const found = await namesake({ ...context, signal: limit.signal }, kind, inputs).catch(() => undefined);
  ended.abort();
  return found?.id;
}

function stillRunning(
  context: Context,
  kind: ObjectKind,
  work: Work,
  id: string | undefined,
  inputs: Fields,
  error: unknown,
): string {
  const which = `${kind.noun} "${text(inputs, "name") ?? context.resource}"${id === undefined ? "" : ` (${id})`}`;
  const requests = work.requestIds.length > 0 ? `request ${work.requestIds.join(", ")}, ` : "";
  const why = error instanceof Error ? error.message : String(error);
  const hint = error instanceof StoppedError && error.why === "limit" ? " (a longer limit: customTimeouts)" : "";
  return `${why}. The create of ${which} goes on at the server (${requests}since ${new Date(work.sinceMs).toISOString()}), which is billed. Run pulumi up to go on waiting, without buying a second one${hint}, or pulumi destroy to remove it`;
}

function failedForGood(error: RequestFailedError, kind: ObjectKind, inputs: Fields): RequestFailedError {
  const which = `${kind.noun} "${text(inputs, "name") ?? ""}"`;
  return new RequestFailedError(
    error.requestId,
    `${error.serverMessage}. The create of ${which} has left nothing behind and nothing is billed; run pulumi up to try again`,
  );
}

function failedAndThere(
  error: RequestFailedError,
  kind: ObjectKind,
  id: string | undefined,
  left: Found | undefined | "unknown",
): string {
  if (left === undefined)
    return `${error.message}. ${kind.noun} ${id ?? ""} does not exist and is not billed; run pulumi up to create it anew`;
  if (left === "unknown")
    return `${error.message}. Whether ${kind.noun} ${id ?? ""} still exists, and is billed, could not be seen; run pulumi up to replace it`;
  return `${error.message}. ${kind.noun} ${left.id} is still there and may be billed. ${howToReplace(kind, left.live)}`;
}

function missing(kind: ObjectKind, id: string | undefined, requestId: string | undefined): string {
  return `Cannot find ${kind.noun} ${id ?? "(no id is known)"} although the API reports its create as COMPLETED (request ${requestId ?? "unknown"}): it is neither in the lists nor under its id. Run pulumi up to replace it`;
}

function howToReplace(kind: ObjectKind, live: Fields): string {
  const unprotect =
    live["deletionProtection"] === true
      ? `; before that, switch its deletion protection off in the TensorPool dashboard or with the tp command`
      : "";
  return `Run pulumi up to replace the ${kind.noun}, or pulumi destroy to remove it${unprotect}`;
}
