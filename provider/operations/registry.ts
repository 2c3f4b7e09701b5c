import type { Api } from "../api/client.ts";
import type { Context } from "../context.ts";

/** What this process knows of objects beyond one operation, for each account. */
interface Registry {
  /** Objects that a create has taken over: a delete of the same run must not take them away again. */
  readonly takenOver: Set<string>;
  /** Objects that this process has asked the server to destroy: no create may take them for an orphan. */
  readonly destroyed: Set<string>;
  /** Objects that this process has seen with its key: the key is the right one for them, also after a rotation. */
  readonly shown: Set<string>;
  /** Objects that this process has bought: a lost create of another resource did not make them. */
  readonly bought: Set<string>;
  /** Names that this process has sent a create with: a list from before does not show them. */
  readonly sentNames: Set<string>;
  readonly busy: Map<string, Promise<unknown>>;
}

const registries = new WeakMap<Api, Registry>();

export function registryOf(api: Api): Registry {
  const registry = registries.get(api) ?? {
    takenOver: new Set(),
    destroyed: new Set(),
    shown: new Set(),
    bought: new Set(),
    sentNames: new Set(),
    busy: new Map(),
  };
  registries.set(api, registry);
  return registry;
}

/**
 * Whether a delete must leave an object alone, because a create of this process has taken it over; says so. It is no
 * error: the next run would try again, and then nothing would tell it whose the object is by now.
 */
export function mustStay(
  { api, say }: Pick<Context, "api" | "say">,
  noun: string,
  id: string,
  key: string = id,
): boolean {
  const isTaken = registryOf(api).takenOver.has(key);
  if (isTaken) say("info", `${noun} ${id} stays: this run has taken it over for another resource`);
  return isTaken;
}

/** Runs operations on one object one after the other: attaching, for example, restarts all nodes of a cluster. */
export async function alone<T>(api: Api, ids: readonly string[], operation: () => Promise<T>): Promise<T> {
  const { busy } = registryOf(api);
  const before = Promise.all(ids.map(async (id) => busy.get(id)));
  const mine = before.then(operation);
  const settled = mine.catch(() => undefined);
  for (const id of ids) busy.set(id, settled);
  return mine;
}
