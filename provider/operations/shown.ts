import type { Context } from "../context.ts";
import { type Fields, text } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { ON_ITS_WAY } from "./diff.ts";
import { SHOWS_WITHIN_MS } from "./gone.ts";
import type { ObjectKind } from "./kind.ts";
import { type Found, listed, named, seen } from "./look.ts";

/** What an accepted create has made, by its name: a server that tells no id still lists it, sooner or later. */
export async function whenShown(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
): Promise<Found | "missing" | "cannot look"> {
  const sinceMs = context.clock.now();
  return poll(context, `looking for the ${kind.noun}`, async () => {
    const there = await named(context, kind, [text(inputs, "name")]);
    if (there === undefined) return "cannot look";
    return there[0] ?? (context.clock.now() - sinceMs >= SHOWS_WITHIN_MS ? "missing" : undefined);
  });
}

/** The object, once it is no longer on its way. */
export async function whenReady(
  context: Context,
  kind: ObjectKind,
  id: string,
): Promise<Found | "missing" | "cannot look"> {
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
export type LeftOver = Found | "nothing" | "unknown";

export async function leftOver(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  id: string | undefined,
): Promise<LeftOver> {
  try {
    const found = id === undefined ? undefined : await seen(context, kind, id);
    if (found !== undefined) return found.live["status"] === "DESTROYED" ? "nothing" : found;
    const list =
      id === undefined
        ? await named(context, kind, [text(inputs, "name")])
        : (await listed(context, kind))?.filter((one) => one.id === id);
    return list === undefined ? "unknown" : (list[0] ?? "nothing");
  } catch {
    return "unknown";
  }
}
