import { listAll } from "../client/list.ts";
import { type Core, run } from "../client/run.ts";
import { type Found, type Looking, seen } from "../operations/look.ts";
import type { GetClusterArgs } from "./types.ts";

/**
 * The one object that has this id, or this name.
 * @throws TypeError when neither or both are given; nothing was sent
 * @throws Error when there is none, or the name fits several
 */
export async function find(core: Core, kind: Looking, { id, name }: GetClusterArgs): Promise<Found> {
  const wanted = id ?? name;
  if (typeof wanted !== "string" || wanted.trim() === "" || (id !== undefined && name !== undefined)) {
    throw new TypeError(`Cannot look for a ${kind.noun}: give either its id or its name, and not both`);
  }
  const theId = id ?? (await idByName(core, kind, wanted));
  const found = await run(core, `get ${kind.noun} "${wanted}"`, {}, (context) => seen(context, kind, theId));
  if (found !== undefined && found.live["status"] !== "DESTROYED") return found;
  const why =
    found === undefined ? `the API knows no ${theId}, or does not show it to this API key` : "it is destroyed";
  throw new Error(`Cannot find ${kind.noun} "${wanted}": ${why}`);
}

async function idByName(core: Core, kind: Looking, name: string): Promise<string> {
  const all = (await listAll(core, kind, { includeOrg: true })).filter(({ live }) => live["status"] !== "DESTROYED");
  const named = all.filter(({ live }) => live["name"] === name);
  // Where one is on its way out, its name may belong to the next one already.
  const lasting = named.filter(({ live }) => live["status"] !== "DESTROYING");
  const fitting = lasting.length > 0 ? lasting : named;
  const [one] = fitting;
  if (one !== undefined && fitting.length === 1) return one.id;
  const why =
    one === undefined
      ? `none of the ${all.length} that this API key shows has this name`
      : `${fitting.length} have this name: ${fitting.map(({ id }) => id).join(", ")}. Look for it by its id`;
  throw new Error(`Cannot find ${kind.noun} "${name}": ${why}`);
}
