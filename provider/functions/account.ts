import { createApi } from "../api/client.ts";
import * as routes from "../api/routes.ts";
import { type Transport, undiciTransport } from "../api/transport.ts";
import { type ObjectStorageCredentials, objectStorageCredentials } from "../api/wire.ts";
import { jobs } from "../client/jobs.ts";
import { listAll } from "../client/list.ts";
import { type Quote, quoteCalls } from "../client/quotes.ts";
import { clusterRecord, jobRecord, sshKeyRecord, storageRecord } from "../client/records.ts";
import { type Core, run } from "../client/run.ts";
import type { Wish } from "../cost/declared.ts";
import { type AccountSettings, type Config, settingsOf } from "../hooks/settings.ts";
import { clusterKind } from "../operations/cluster.ts";
import type { Found, Looking } from "../operations/look.ts";
import { looking as sshKeys } from "../operations/public-key.ts";
import { storageVolumeKind } from "../operations/storage-volume.ts";
import { type Clock, realClock } from "../wait/clock.ts";
import { createScheduler } from "../wait/scheduler.ts";
import { find } from "./find.ts";
import type {
  GetClusterArgs,
  GetClusterResult,
  GetClustersArgs,
  GetClustersResult,
  GetJobArgs,
  GetJobResult,
  GetJobsResult,
  GetSshKeysResult,
  GetStorageVolumeResult,
  GetStorageVolumesResult,
} from "./types.ts";

/** What a program can ask of one account. Each question is asked once: who asks it again gets the same answer. */
export interface Account {
  cluster(args: GetClusterArgs): Promise<GetClusterResult>;
  clusters(args: GetClustersArgs): Promise<GetClustersResult>;
  storageVolume(args: GetClusterArgs): Promise<GetStorageVolumeResult>;
  storageVolumes(args: GetClustersArgs): Promise<GetStorageVolumesResult>;
  sshKeys(args: GetClustersArgs): Promise<GetSshKeysResult>;
  job(args: GetJobArgs): Promise<GetJobResult>;
  jobs(args: GetClustersArgs): Promise<GetJobsResult>;
  /** Waits for a rate limit, and else not for long. */
  quote(wish: Wish): Promise<Quote>;
  credentials(args: object): Promise<ObjectStorageCredentials>;
}

/** How long a quote waits for a rate limit, and how often a server that does not answer is asked for it. */
const QUOTE_LIMIT = { timeoutMs: 120_000 };
const QUOTE_ATTEMPTS = 2;

/** What a test puts something else in place of. */
interface Parts {
  readonly clock: Clock;
  readonly transport: Transport;
}

const runs = new WeakMap<object, Map<string, Account>>();

/**
 * The account that these settings lead to, with what one run of a program has asked it so far.
 * @param ofRun an object that only this run has: programs that share a process share no answers
 * @throws Error that says how to set the key
 */
export function accountOf(
  ofRun: object,
  env: Readonly<Record<string, string | undefined>>,
  config: Config | undefined,
  parts: Parts = { clock: realClock, transport: undiciTransport },
): Account {
  const settings = settingsOf(env, config);
  const accounts = runs.get(ofRun) ?? new Map<string, Account>();
  runs.set(ofRun, accounts);
  const name = JSON.stringify([settings.baseUrl, settings.key]);
  const account = accounts.get(name) ?? openAccount(settings, parts);
  accounts.set(name, account);
  return account;
}

function openAccount({ baseUrl, key, keyId, advice }: AccountSettings, { clock, transport }: Parts): Account {
  const scheduler = createScheduler(clock);
  const api = createApi({ baseUrl, key, transport, scheduler, clock, advice });
  const core: Core = { api, clock, keyId, askAfterMs: new Map() };
  const quotes = quoteCalls(core, QUOTE_ATTEMPTS);
  const all = async <R>(kind: Looking, { includeOrg }: GetClustersArgs, record: ToRecord<R>): Promise<R[]> =>
    (await listAll(core, kind, { includeOrg: includeOrg ?? false })).map(({ id, live }) => record(id, live));
  const one = async <R>(kind: Looking, args: GetClusterArgs, record: ToRecord<R>): Promise<R> => {
    const { id, live } = await find(core, kind, args);
    return record(id, live);
  };
  return {
    cluster: once((args) => one(clusterKind, args, clusterRecord)),
    clusters: once(async (args) => ({ clusters: await all(clusterKind, args, clusterRecord) })),
    storageVolume: once((args) => one(storageVolumeKind, args, storageRecord)),
    storageVolumes: once(async (args) => ({ storageVolumes: await all(storageVolumeKind, args, storageRecord) })),
    sshKeys: once(async (args) => ({ sshKeys: await all(sshKeys, args, sshKeyRecord) })),
    job: once((args) => one(jobs, args, jobRecord)),
    jobs: once(async (args) => ({ jobs: await all(jobs, args, jobRecord) })),
    quote: once((wish) =>
      wish.instanceType === undefined ? quotes.storage(wish, QUOTE_LIMIT) : quotes.cluster(wish, QUOTE_LIMIT),
    ),
    credentials: once(() =>
      run(core, "get the object storage credentials", {}, async ({ api, signal }) =>
        objectStorageCredentials((await api.call(routes.objectStorageCredentials, { signal })).body),
      ),
    ),
  };
}

type ToRecord<R> = (id: string, live: Found["live"]) => R;

/** An answer serves everybody who asks the same; what has failed may be asked anew. */
function once<A extends object, R>(ask: (args: A) => Promise<R>): (args: A) => Promise<R> {
  const asked = new Map<string, Promise<R>>();
  return (args) => {
    // An argument that is false asks the same as one that is left out.
    const question = JSON.stringify(Object.entries(args).filter(([, value]) => value !== undefined && value !== false));
    const answer = asked.get(question) ?? ask(args);
    asked.set(question, answer);
    answer.catch(() => asked.delete(question));
    return answer;
  };
}
