import type { Context } from "../context.ts";
import { type Fields, text } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { ownNameOf } from "./check.ts";
import { SHOWS_WITHIN_MS } from "./gone.ts";
import type { ObjectKind } from "./kind.ts";
import { type Found, listed, named, seen } from "./look.ts";
import { registryOf } from "./registry.ts";

/**
 * What an interrupted run has bought was there before this process began, so creates that come one after the other may
 * share a look: in milliseconds.
 */
const SHARED_MS = 500;

/**
 * The object that has the name which a create would give, or the resource's own: an orphan has that one when the program
 * has named the resource only since. Those that are being destroyed are waited out.
 * @throws Error when there are several
 */
export async function namesake(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
): Promise<Found | "absent" | "cannot look"> {
  const name = text(inputs, "name");
  const mostAgeMs = registryOf(context.api).sentNames.has(name ?? "") ? 0 : SHARED_MS;
  const there = await named(context, kind, [name, ownNameOf(kind.fields, inputs)], mostAgeMs);
  if (there === undefined) return "cannot look";
  const lasting: Found[] = [];
  for (const { id } of there) {
    const found = await untilClear(context, kind, id);
    if (found !== "gone") lasting.push(found);
  }
  if (lasting.length <= 1) return lasting[0] ?? "absent";
  const ids = lasting.map(({ id }) => id).join(", ");
  throw new Error(
    `Cannot create ${kind.noun} "${text(inputs, "name")}": ${lasting.length} of this name exist already: ${ids}. Destroy all but one, or give another name`,
  );
}

/**
 * What becomes of a listed object: `gone` once one that is on its way out has gone. One that is merely not under its id
 * may have been completed just now, and show up again.
 */
async function untilClear(context: Context, kind: ObjectKind, id: string): Promise<Found | "gone"> {
  const { destroyed } = registryOf(context.api);
  let wasLeaving = destroyed.has(id);
  let missingSinceMs: number | undefined;
  return poll(context, `waiting until the old ${kind.noun} ${id} is gone`, async () => {
    const found = await seen(context, kind, id);
    if (found !== undefined && found.live["status"] !== "DESTROYED") {
      missingSinceMs = undefined;
      if (found.live["status"] !== "DESTROYING" && !destroyed.has(found.id)) return found;
      wasLeaving = true;
      return undefined;
    }
    if ((await listed(context, kind))?.some((one) => one.id === id)) return undefined;
    missingSinceMs ??= context.clock.now();
    const isGone = wasLeaving || found !== undefined || context.clock.now() - missingSinceMs >= SHOWS_WITHIN_MS;
    return isGone ? "gone" : undefined;
  });
}
