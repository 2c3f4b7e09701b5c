import { parseBody, Refusal } from "./answer.ts";
import type { Belongs, Emulator } from "./emulator.ts";
import type { Ledger } from "./ledger.ts";
import { vanish } from "./objects.ts";
import { settle } from "./operations.ts";
import { type Caller, type EmulatorOptions, settingsOf } from "./options.ts";
import { addCluster } from "./routes/clusters.ts";
import { controlRoutes } from "./routes/control.ts";
import { addJob } from "./routes/jobs.ts";
import { addBucket } from "./routes/object-storage.ts";
import { addVolume } from "./routes/volumes.ts";
import { listen } from "./server.ts";
import { addFault, createService, type Incoming, newIds, type Outcome, type Service } from "./service.ts";
import type { StoredCluster, StoredVolume } from "./world.ts";

/**
 * Starts the API on the loopback address. Dispose it, or call `close`, at the end.
 * @throws RangeError for a number that makes no sense
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = settingsOf(options);
  const ids = newIds(settings);
  // A fault for a route that does not exist must throw before there is a server that nobody would close.
  const trial = createService(settings, "", ids);
  for (const fault of settings.faults) addFault(trial, fault);
  const { url, close } = await listen(settings.port, async (incoming) => respond(incoming));
  let service = begin();

  function begin(): Service {
    const started = createService(settings, url, ids);
    for (const fault of settings.faults) addFault(started, fault);
    return started;
  }

  function callerOf({ account, owner }: Belongs): Caller {
    const [first = { account: "nobody", owner: "personal" as const }] = settings.callers.values();
    return { account: account ?? first.account, owner: owner ?? first.owner };
  }

  function stored(id: string): StoredCluster | StoredVolume {
    settle(service.world);
    const object = service.world.clusters.get(id) ?? service.world.volumes.get(id);
    if (object?.living !== true) throw new RangeError(`Cannot change "${id}": there is no such cluster or volume`);
    return object;
  }

  const emulator: Emulator = {
    url,
    ledger: () => ledgerOf(service),
    addFault: (fault) => addFault(service, fault),
    setFaults(faults) {
      service.faults.clear();
      for (const fault of faults) addFault(service, fault);
    },
    clearFaults: () => service.faults.clear(),
    faultsFired: () => service.faults.fired(),
    edit(id, { storage, attached_clusters, ...change }) {
      const { record } = stored(id);
      Object.assign(record, change);
      const others = storage ?? attached_clusters;
      if (!Array.isArray(others)) return;
      const isCluster = storage !== undefined;
      const { world } = service;
      world.links = world.links.filter(({ cluster, volume }) => (isCluster ? cluster : volume) !== id);
      const links = others.map((other) =>
        isCluster ? { cluster: id, volume: other } : { cluster: other, volume: id },
      );
      world.links = [...world.links, ...links];
    },
    remove: (id) => vanish(service.world, stored(id)),
    addCluster: ({ account, owner, ...wish } = {}) =>
      addCluster(service.world, callerOf(given({ account, owner })), wish).record.id,
    addVolume: ({ account, owner, ...wish } = {}) =>
      addVolume(service.world, callerOf(given({ account, owner })), wish).record.id,
    addSshKey({ account, owner, ...key }) {
      const { id = ids("k") } = key;
      service.world.sshKeys.set(id, { name: "key", ...callerOf(given({ account, owner })), ...key, id });
      return id;
    },
    addBucket: ({ account, owner, ...bucket }) => addBucket(service.world, callerOf(given({ account, owner })), bucket),
    addJob: ({ account, owner, ...job } = {}) =>
      addJob(service.world, callerOf(given({ account, owner })), job).record.id,
    reset() {
      service = begin();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  const control = controlRoutes(emulator);

  async function respond(incoming: Incoming): Promise<Outcome> {
    const act = control[`${incoming.method} ${incoming.url.pathname}`];
    if (act === undefined) return service.respond(incoming);
    try {
      return act(parseBody(await incoming.readBody()));
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }

  return emulator;
}

function given({ account, owner }: { account: Belongs["account"]; owner: Belongs["owner"] }): Belongs {
  return { ...(account !== undefined && { account }), ...(owner !== undefined && { owner }) };
}

function ledgerOf({ world, journal }: Service): Ledger {
  settle(world);
  const all = [...world.clusters.values(), ...world.volumes.values()];
  const line = ({ kind, record }: StoredCluster | StoredVolume) => ({ kind, id: record.id, name: record.name });
  return {
    billed: all.filter(({ living }) => living).map(line),
    everBilled: all.map(line),
    requests: journal.entries(),
  };
}
