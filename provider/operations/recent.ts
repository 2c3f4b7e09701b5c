import type { Api } from "../api/client.ts";
import type { Route } from "../api/routes.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { type Fields, isFields } from "../json.ts";
import type { ObjectKind } from "./kind.ts";
import { abortable, type Found, type Looking, load } from "./look.ts";

/** A list serves reads this long after it was asked for. */
const SERVES_MS = 10_000;
/** A list costs two requests, so it is worth asking for from the third read within that time on. */
const CHEAPER_ONE_BY_ONE = 2;

interface Recent {
  readonly sinceMs: number;
  readonly changes: number;
  reads: number;
  list?: Promise<ReadonlyMap<string, Found> | undefined>;
}

const recents = new WeakMap<Api, Map<Route, Recent>>();

/**
 * The object as a list shows it that this process has asked for in the last 10 s and changed nothing since: a refresh of
 * hundreds takes a few requests. For `read` alone: whoever buys or destroys looks anew.
 * @returns `undefined` where no list shows it with all that `olds` holds: then it must be asked for itself
 */
export async function seenLately(
  context: Context,
  kind: ObjectKind,
  id: string,
  olds: Fields,
): Promise<Found | undefined> {
  const recent = recentOf(context, kind);
  recent.reads += 1;
  if (recent.list === undefined && recent.reads <= CHEAPER_ONE_BY_ONE) return undefined;
  recent.list ??= listOf(context.api, kind);
  const found = (await abortable(recent.list, context.signal))?.get(id);
  if (found === undefined || found.live["status"] === "DESTROYED") return undefined;
  return kind.shown.every((key) => tells(found.live[key], olds[key])) ? found : undefined;
}

function recentOf({ api, clock }: Context, kind: Looking): Recent {
  const ofApi = recents.get(api) ?? new Map<Route, Recent>();
  recents.set(api, ofApi);
  const known = ofApi.get(kind.routes.list);
  const { changes } = api;
  const nowMs = clock.now();
  if (known !== undefined && known.changes === changes && nowMs - known.sinceMs < SERVES_MS) return known;
  // While reads go on, they are many: the next list is asked for at once.
  const isBusy = known?.list !== undefined && known.changes === changes && nowMs - known.sinceMs < 2 * SERVES_MS;
  const recent: Recent = { sinceMs: nowMs, changes, reads: isBusy ? CHEAPER_ONE_BY_ONE : 0 };
  ofApi.set(kind.routes.list, recent);
  return recent;
}

async function listOf(api: Api, kind: Looking): Promise<ReadonlyMap<string, Found> | undefined> {
  try {
    const list = await load(api, kind, { instances: "true" });
    return list && new Map(list.map((found) => [found.id, found]));
  } catch (error) {
    // No list to serve anybody: each asks for its own object, and gets the error that belongs there.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Whether a record holds a value wherever the state has one, such as the addresses of instances. */
function tells(live: unknown, old: unknown): boolean {
  if (old === undefined || old === null) return true;
  if (Array.isArray(old)) return Array.isArray(live) && old.every((one, index) => tells(live[index], one));
  if (isFields(old)) return isFields(live) && Object.keys(old).every((key) => tells(live[key], old[key]));
  return live !== undefined && live !== null;
}
