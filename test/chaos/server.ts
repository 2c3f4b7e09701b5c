import type { Fault } from "../emulator/faults.ts";
import { vanish } from "../emulator/objects.ts";
import { settle } from "../emulator/operations.ts";
import { type EmulatorOptions, settingsOf } from "../emulator/options.ts";
import { addFault, createService, type Incoming, type Outcome } from "../emulator/service.ts";
import type { StoredCluster, StoredVolume } from "../emulator/world.ts";

export interface Paid {
  readonly id: string;
  readonly name: string;
  readonly kind: "cluster" | "volume";
}

/** A request that has arrived, or that has been acted on and is not answered yet. */
export interface Arrival {
  readonly phase: "arrived" | "acted";
  readonly method: string;
  readonly path: string;
}

/** The emulator of one run, with eyes on everything that arrives. */
export interface Server {
  respond(incoming: Incoming): Promise<Outcome>;
  /** Is told of each request, twice. */
  listener: ((arrival: Arrival) => void) | undefined;
  setFaults(faults: readonly Fault[]): void;
  fired(): Record<string, number>;
  requests(): number;
  /** What is paid for now. */
  paid(): Paid[];
  attachments(): string[];
  /** How long until nothing is under way and everything shows, in milliseconds. */
  quietInMs(): number;
  sshKeys(): string[];
  buckets(): string[];
  /** Names of which two objects were paid for at one moment. */
  readonly twins: Set<string>;
  /** What a user does in the dashboard. */
  unprotect(id: string): void;
  destroyByHand(id: string): void;
  detachByHand(id: string): void;
}

export interface ServerOptions extends EmulatorOptions {
  /** Whether it refuses a name that another object has. A server that does not is the harder test. @default true */
  readonly hasUniqueNames?: boolean;
}

/** Stands behind the names of a server that takes any, until the next request comes. */
const MARK = /#\d+$/;

export function createServer(
  { hasUniqueNames = true, ...options }: ServerOptions,
  url = "http://emulator.test",
): Server {
  const service = createService(settingsOf({ objectStorage: true, ...options }), url);
  const { world, faults } = service;
  let marks = 0;
  const objects = (): (StoredCluster | StoredVolume)[] => [...world.clusters.values(), ...world.volumes.values()];
  const living = (): (StoredCluster | StoredVolume)[] => objects().filter((one) => one.living);

  function lookForTwins(): void {
    const seen = new Set<string>();
    for (const { kind, record } of living()) {
      const name = `${kind} ${record.name.replace(MARK, "")}`;
      if (seen.has(name)) server.twins.add(name);
      seen.add(name);
    }
  }

  /** Makes a name free that is in use, for a server that does not mind. */
  function marked(text: string, path: string): string {
    const key = path === "/cluster/create" ? "tp_cluster_name" : path === "/storage/create" ? "name" : undefined;
    if (hasUniqueNames || key === undefined) return text;
    return text.replace(new RegExp(`("${key}":"[^"]+)"`), (_, start: string) => `${start}#${(marks += 1)}"`);
  }

  const server: Server = {
    listener: undefined,
    twins: new Set(),
    async respond(incoming) {
      const { method, url: asked } = incoming;
      const path = asked.pathname;
      for (const { record } of objects()) record.name = record.name.replace(MARK, "");
      server.listener?.({ phase: "arrived", method, path });
      const readBody = async (): Promise<string> => marked(await incoming.readBody(), path);
      const outcome = await service.respond({ ...incoming, readBody });
      lookForTwins();
      server.listener?.({ phase: "acted", method, path });
      return outcome;
    },
    setFaults(list) {
      faults.clear();
      for (const fault of list) addFault(service, fault);
    },
    fired: () => faults.fired(),
    requests: () => service.journal.entries().length,
    paid() {
      settle(world);
      return living().map(({ kind, record: { id, name } }) => ({ kind, id, name: name.replace(MARK, "") }));
    },
    attachments() {
      settle(world);
      return world.links.map(({ cluster, volume }) => `${cluster}/${volume}`);
    },
    quietInMs() {
      settle(world);
      const nowMs = world.settings.clock.now();
      const ends = [...world.underWay].map(
        ({ dueMs, faults: struck }) => dueMs + 1_000 * Math.max(0, ...struck.map(shownAfter)),
      );
      const shows = objects().flatMap(({ hiddenUntilMs, listedFromMs }) => [hiddenUntilMs, listedFromMs]);
      return Math.max(0, ...[...ends, ...shows].map((atMs) => atMs - nowMs));
    },
    sshKeys: () => [...world.sshKeys.keys()],
    buckets: () => [...world.objectStorage.values()].flatMap(({ buckets }) => [...buckets.keys()]),
    unprotect(id) {
      for (const { record } of objects()) if (record.id === id) record.deletion_protection = false;
    },
    destroyByHand(id) {
      for (const one of living()) if (one.record.id === id) vanish(world, one);
    },
    detachByHand(id) {
      world.links = world.links.filter(({ cluster, volume }) => `${cluster}/${volume}` !== id);
    },
  };
  return server;
}

function shownAfter(fault: Fault): number {
  return fault.kind === "completed-but-404" ? (fault.seconds ?? 0) : 0;
}
