import type { Emulator } from "./emulator.ts";
import type { Billed, Ledger } from "./ledger.ts";
import { vanish } from "./objects.ts";
import { settle } from "./operations.ts";
import type { Caller } from "./options.ts";
import { addCluster } from "./routes/clusters.ts";
import { addJob } from "./routes/jobs.ts";
import { addVolume } from "./routes/volumes.ts";
import type { Service } from "./service.ts";
import type { StoredCluster, StoredVolume, World } from "./world.ts";

type Backdoor = Pick<Emulator, "ledger" | "edit" | "remove" | "addCluster" | "addVolume" | "addJob" | "fillBucket">;

/** What can be seen and done without the API; `service` is asked for anew each time, because a reset replaces it. */
export function createBackdoor(service: () => Service): Backdoor {
  const world = (): World => {
    settle(service().world);
    return service().world;
  };
  return {
    ledger: () => ledgerOf(world(), service()),
    edit: (id, change) => edit(world(), id, change),
    remove: (id) => vanish(world(), find(world(), id)),
    addCluster: ({ account, owner, ...wish } = {}) =>
      addCluster(world(), belongs(world(), account, owner), wish).record.id,
    addVolume: ({ account, owner, ...wish } = {}) =>
      addVolume(world(), belongs(world(), account, owner), wish).record.id,
    addJob: ({ account, owner, ...job } = {}) => addJob(world(), belongs(world(), account, owner), job).record.id,
    fillBucket(name, objects) {
      const storage = [...world().objectStorage.values()].find(({ buckets }) => buckets.has(name));
      if (storage === undefined) throw new RangeError(`Cannot fill bucket "${name}": there is none`);
      storage.buckets.set(name, objects);
    },
  };
}

function ledgerOf(world: World, { journal }: Service): Ledger {
  const all = [...world.clusters.values(), ...world.volumes.values()];
  const billed = ({ kind, record: { id, name } }: StoredCluster | StoredVolume): Billed => ({ kind, id, name });
  return {
    billed: all.filter((one) => one.living).map(billed),
    everBilled: all.map(billed),
    requests: journal.entries(),
  };
}

function edit(world: World, id: string, change: Readonly<Record<string, unknown>>): void {
  const { kind, record } = find(world, id);
  const { storage, attached_clusters, ...fields } = change;
  const volumes = kind === "cluster" ? storage : undefined;
  const clusters = kind === "volume" ? attached_clusters : undefined;
  if (isTexts(volumes)) {
    const others = world.links.filter((one) => one.cluster !== id);
    world.links = [...others, ...volumes.map((volume) => ({ cluster: id, volume }))];
  }
  if (isTexts(clusters)) {
    const others = world.links.filter((one) => one.volume !== id);
    world.links = [...others, ...clusters.map((cluster) => ({ cluster, volume: id }))];
  }
  Object.assign(record, fields);
}

function find(world: World, id: string): StoredCluster | StoredVolume {
  const found = world.clusters.get(id) ?? world.volumes.get(id);
  if (!found?.living) throw new RangeError(`Cannot find "${id}": no living cluster or volume has that id`);
  return found;
}

function belongs({ settings }: World, account: string | undefined, owner: Caller["owner"] | undefined): Caller {
  const [first = { account: "", owner: "personal" as const }] = settings.callers.values();
  return { account: account ?? first.account, owner: owner ?? first.owner };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
