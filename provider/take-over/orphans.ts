import type { Client } from "../client/client.ts";
import { ApiError } from "../errors.ts";
import type { Fields } from "../json.ts";
import { CLUSTER, knownArguments, type TakeOverKind, VOLUME } from "./kinds.ts";
import type { StackState, StateObject } from "./state-file.ts";

/** Something that is billed. */
interface Billed {
  readonly kind: TakeOverKind;
  readonly id: string;
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly createdAt: string | undefined;
  /** What a program would say of it, as far as the API tells. */
  readonly args: Fields;
}

/** Something that is billed and that none of the states would ever destroy. */
export interface Orphan extends Billed {
  /** US dollars an hour; `undefined` where the API does not tell. */
  readonly hourlyUsd: number | undefined;
  /** URNs of resources that look it up by `.get`. */
  readonly readBy: readonly string[];
}

export interface OrphanReport {
  readonly orphans: readonly Orphan[];
  /** What an interrupted create has bought: the next `pulumi up` of that stack takes it over. */
  readonly unfinished: readonly (Billed & { readonly urn: string })[];
  /** How much is billed in all. */
  readonly billed: number;
}

const LEAVING: readonly string[] = ["DESTROYING", "DESTROYED"];

/**
 * Compares what the API key's account and its organization are billed for with what the states hold.
 * @throws Error when that cannot be told
 */
export async function findOrphans(
  client: Client,
  states: readonly StackState[],
  signal: AbortSignal,
): Promise<OrphanReport> {
  const options = { includeOrg: true, signal };
  const [clusters, volumes] = await Promise.all([client.clusters.list(options), client.storage.list(options)]);
  const billed = [
    ...clusters.map((one) => billedOf(CLUSTER, one.id, { ...one, numNodes: one.numNodes ?? one.instances?.length })),
    ...volumes.map((one) => billedOf(VOLUME, one.id, { ...one })),
  ].filter(({ status }) => !LEAVING.includes(status ?? ""));

  const objects = states.flatMap((state) => state.objects);
  const managed = objects.filter(({ isOnlyRead }) => !isOnlyRead);
  const tracked = new Set(managed.map(({ id }) => id));
  const interrupted = managed.filter(({ id }) => id === undefined);
  const unknown = billed.filter(({ id }) => !tracked.has(id));
  const bought = unknown.length === 0 ? new Map<string, string>() : await idsOf(client, interrupted, signal);

  const unfinished: (Billed & { urn: string })[] = [];
  const orphans: Billed[] = [];
  for (const one of unknown) {
    const alike = interrupted.filter(({ kind }) => kind === one.kind);
    const urn = bought.get(one.id) ?? alike.find(({ names }) => names.some((name) => name === one.name))?.urn;
    if (urn !== undefined) unfinished.push({ ...one, urn });
    else {
      const secret = alike.find(({ hasSecretName }) => hasSecretName);
      if (secret !== undefined) throw new Error(cannotTell(one, secret));
      orphans.push(one);
    }
  }
  const priceOf = prices(client, signal);
  return {
    orphans: await Promise.all(
      orphans.map(async (one) => {
        const readers = objects.filter(({ id, isOnlyRead }) => isOnlyRead && id === one.id);
        return { ...one, hourlyUsd: await priceOf(one), readBy: readers.map(({ urn }) => urn) };
      }),
    ),
    unfinished,
    billed: billed.length,
  };
}

function billedOf(
  kind: TakeOverKind,
  id: string,
  live: Fields & Pick<Billed, "name" | "status" | "createdAt">,
): Billed {
  const { name, status, createdAt } = live;
  return { kind, id, name, status, createdAt, args: knownArguments(kind, live) };
}

/** What the requests of interrupted creates have made, by id. */
async function idsOf(
  { requests }: Client,
  interrupted: readonly StateObject[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const found = interrupted.flatMap(({ requestIds, urn }) =>
    requestIds.map(async (requestId): Promise<[string, string][]> => {
      try {
        const { objectId } = await requests.get(requestId, { signal });
        return objectId === undefined ? [] : [[objectId, urn]];
      } catch (error) {
        // A request that the server has forgotten: there is still the name.
        if (error instanceof ApiError && error.status === 404) return [];
        throw error;
      }
    }),
  );
  return new Map((await Promise.all(found)).flat());
}

function cannotTell({ kind, id }: Billed, { urn }: StateObject): string {
  return `Cannot tell whether ${kind.resource.noun} ${id} belongs to the interrupted create of ${urn}, whose name is encrypted. Export its state with pulumi stack export --show-secrets, or run pulumi up there first`;
}

/** Asks once for each price. A price that cannot be had is no reason to keep quiet about what costs it. */
function prices({ quotes }: Client, signal: AbortSignal): (one: Billed) => Promise<number | undefined> {
  const asked = new Map<string, Promise<number | undefined>>();
  const ask = async ({ kind, args }: Billed): Promise<number | undefined> => {
    const { instanceType, numNodes, sizeGb } = args;
    try {
      if (kind === CLUSTER && typeof instanceType === "string" && typeof numNodes === "number")
        return (await quotes.cluster({ instanceType, numNodes }, { signal })).hourlyUsd;
      if (kind === VOLUME && typeof sizeGb === "number")
        return (await quotes.storage({ sizeGb }, { signal })).hourlyUsd;
      return undefined;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  };
  return (one) => {
    const { instanceType, numNodes, sizeGb } = one.args;
    const key = JSON.stringify([instanceType, numNodes, sizeGb]);
    const price = asked.get(key) ?? ask(one);
    asked.set(key, price);
    return price;
  };
}
