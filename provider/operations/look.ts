import type { Api } from "../api/client.ts";
import type { Route } from "../api/routes.ts";
import { recordIn } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { type Fields, objects, text } from "../json.ts";

/** Where to look for the objects of one kind. */
export interface Looking {
  readonly noun: string;
  readonly routes: { readonly list: Route; readonly info: Route };
  readonly listKey: string;
  readonly infoKey: string;
  /** A record under this package's names. */
  known(record: Fields): Fields;
}

/** An object as the server shows it. */
export interface Found {
  readonly id: string;
  readonly live: Fields;
}

/**
 * All objects of a kind, the user's own and the organization's. Calls that wait at the same moment share one list.
 * @param mostAgeMs how long ago the list may have been asked for. @default 0, so that it is no older than this call
 * @returns `undefined` when the server has no such list: that is "cannot look", and not "not there"
 */
export function listed(context: Context, kind: Looking, mostAgeMs = 0): Promise<Found[] | undefined> {
  return shared(context, kind.routes.list, () => load(context.api, kind), mostAgeMs);
}

/** The listed objects that have one of these names; `undefined` when nobody can tell. */
export async function named(
  context: Context,
  kind: Looking,
  names: readonly (string | undefined)[],
  mostAgeMs = 0,
): Promise<Found[] | undefined> {
  const wanted = names.filter((name) => name !== undefined);
  if (wanted.length === 0) return undefined;
  return (await listed(context, kind, mostAgeMs))?.filter(({ live }) => wanted.some((name) => name === live["name"]));
}

interface Share {
  running?: { readonly sinceMs: number; readonly list: Promise<Found[] | undefined> };
  next?: Promise<Found[] | undefined>;
}
const shares = new WeakMap<Api, Map<Route, Share>>();

/** What `ask` answers, asked no more than `mostAgeMs` ago, for all who want this list at the same moment. */
export function shared(
  { api, clock, signal }: Pick<Context, "api" | "clock" | "signal">,
  route: Route,
  ask: () => Promise<Found[] | undefined>,
  mostAgeMs = 0,
): Promise<Found[] | undefined> {
  const ofApi = shares.get(api) ?? new Map<Route, Share>();
  shares.set(api, ofApi);
  const share = ofApi.get(route) ?? {};
  ofApi.set(route, share);
  if (share.running !== undefined && clock.now() - share.running.sinceMs < mostAgeMs) {
    return abortable(share.running.list, signal);
  }
  // What already runs may have been answered before this call: only one that has not begun may be shared.
  share.next ??= (share.running?.list ?? Promise.resolve())
    .catch(() => undefined)
    .then(() => {
      const list = ask();
      share.running = { sinceMs: clock.now(), list };
      delete share.next;
      // An error serves nobody who comes later.
      list.catch(() => delete share.running);
      return list;
    });
  return abortable(share.next, signal);
}

export async function load(
  api: Api,
  kind: Looking,
  query: Readonly<Record<string, string>> = {},
): Promise<Found[] | undefined> {
  // One list holds the personal objects and the other the organization's, never both.
  const lists = await Promise.all([page(api, kind, query), page(api, kind, { ...query, include_org: "true" })]);
  if (lists.some((list) => list === undefined)) return undefined;
  const byId = new Map(lists.flatMap((list) => list ?? []).map((found) => [found.id, found]));
  return [...byId.values()];
}

/** One list; `undefined` when the server has none. */
export async function page(
  api: Api,
  kind: Looking,
  query: Record<string, string>,
  signal?: AbortSignal,
): Promise<Found[] | undefined> {
  try {
    const { body } = await api.call(kind.routes.list, { query, ...(signal && { signal }) });
    return objects(body, kind.listKey)?.flatMap((record) => found(kind, record) ?? []);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The object with this id, or `undefined` when the info endpoint says that it is not there. */
export async function seen(context: Context, kind: Looking, id: string): Promise<Found | undefined> {
  try {
    const { body } = await context.api.call(kind.routes.info, { id, signal: context.signal });
    const record = recordIn(body, kind.infoKey);
    return { id: text(record, "id") ?? id, live: kind.known(record) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function found(kind: Looking, record: Fields): Found | undefined {
  const id = text(record, "id") ?? text(record, "key_id");
  return id === undefined ? undefined : { id, live: kind.known(record) };
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 405 || error.status === 410);
}

/** A shared question goes on for the others when one of those who wait for it is stopped. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
