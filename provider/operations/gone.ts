import type { Context } from "../context.ts";
import { type Fields, text } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { ON_ITS_WAY } from "./diff.ts";
import { KEY_ID } from "./hidden.ts";
import { type Found, type Looking, listed, seen } from "./look.ts";
import { registryOf } from "./registry.ts";
import { pendingOf } from "./state.ts";

/**
 * Looks an object up and tells "gone" from "cannot be seen". Gone is only what its info endpoint denies (404, 410,
 * DESTROYED) and both lists lack, seen with the key that showed it last.
 * @throws Error when it is not there for this key, but was last seen with another one
 */
export async function lookUp(
  context: Context,
  kind: Looking,
  id: string,
  olds: Fields,
): Promise<Found | "gone" | "cannot look"> {
  const found = await seen(context, kind, id);
  if (found !== undefined) registryOf(context.api).shown.add(id);
  if (found !== undefined && found.live["status"] !== "DESTROYED") return found;
  const list = await listed(context, kind);
  if (list === undefined) return "cannot look";
  const inList = list.find((one) => one.id === id && one.live["status"] !== "DESTROYED");
  if (inList !== undefined) return inList;
  refuseOtherKey(context, kind.noun, id, olds);
  return "gone";
}

/** How long after its create is COMPLETED an object may take to show up, or to show up again. */
export const SHOWS_WITHIN_MS = 60_000;

/**
 * As `lookUp`; but an object that nobody has seen ready yet is gone only when it stays away for a minute: that is how
 * long a server may take to show what it has just completed.
 */
export async function lookUpLong(
  context: Context,
  kind: Looking,
  id: string,
  olds: Fields,
): Promise<Found | "gone" | "cannot look"> {
  const isYoung = pendingOf(olds) !== undefined || ON_ITS_WAY.includes(text(olds, "status") ?? "");
  const sinceMs = context.clock.now();
  return poll(context, `looking for ${kind.noun} ${id}`, async () => {
    const found = await lookUp(context, kind, id, olds);
    return found !== "gone" || !isYoung || context.clock.now() - sinceMs >= SHOWS_WITHIN_MS ? found : undefined;
  });
}

/** What another account's key does not show is not gone: neither may a state be emptied by it, nor a destroy succeed. */
export function refuseOtherKey(context: Context, noun: string, id: string, olds: Fields): void {
  const lastKeyId = text(olds, KEY_ID);
  if (lastKeyId === undefined || lastKeyId === context.keyId || registryOf(context.api).shown.has(id)) return;
  throw new Error(
    `Cannot find ${noun} ${id} with this API key: TENSORPOOL_KEY is not the key that it was last seen with (key ${lastKeyId}, now ${context.keyId}). Use that key's account${context.api.advice.forget}`,
  );
}
