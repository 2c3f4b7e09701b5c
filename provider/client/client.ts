import type { Advice } from "../advice.ts";
import { createApi } from "../api/client.ts";
import { checkedSettings, PUBLIC_ENGINE } from "../api/settings.ts";
import { type Transport, undiciTransport } from "../api/transport.ts";
import { clusterKind } from "../operations/cluster.ts";
import { storageVolumeKind } from "../operations/storage-volume.ts";
import { type Clock, realClock } from "../wait/clock.ts";
import { createScheduler } from "../wait/scheduler.ts";
import { clientAdvice } from "./advice.ts";
import type { ClusterChanges, NewCluster, NewStorage, StorageChanges } from "./args.ts";
import { type Attachments, attachmentCalls } from "./attachments.ts";
import { type Buckets, bucketCalls } from "./buckets.ts";
import { type Jobs, jobCalls } from "./jobs.ts";
import { type ObjectCalls, objectCalls } from "./objects.ts";
import { type Quotes, quoteCalls } from "./quotes.ts";
import { type ClusterRecord, clusterRecord, type StorageRecord, storageRecord } from "./records.ts";
import { type Requests, requestCalls } from "./requests.ts";
import type { Core } from "./run.ts";
import { type SshKeys, sshKeyCalls } from "./ssh-keys.ts";

/** Which account a client works for, and how it sends. */
export interface ClientOptions {
  /** @default the environment's `TENSORPOOL_KEY` */
  readonly apiKey?: string;
  /** @default the environment's `TENSORPOOL_ENGINE`, else `https://engine.tensorpool.dev` */
  readonly baseUrl?: string;
  /** @default `process.env` */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Time as all waits see it, for tests. @default real time */
  readonly clock?: Clock;
  /** What sends the calls to the API, for tests. @default over the network */
  readonly transport?: Transport;
}

/** The TensorPool API with the waits, the rate limit, the errors and the money rule of this package's resources. */
export interface Client {
  /** Clusters: list, get, create, wait, edit, destroy. */
  readonly clusters: ObjectCalls<ClusterRecord, NewCluster, ClusterChanges>;
  /** The same, of storage volumes. */
  readonly storage: ObjectCalls<StorageRecord, NewStorage, StorageChanges>;
  /** Which volume is attached to which cluster. */
  readonly attachments: Attachments;
  /** What the API has accepted and goes on with. */
  readonly requests: Requests;
  /** Jobs, and the files that they have written. */
  readonly jobs: Jobs;
  /** The SSH keys of the account. */
  readonly sshKeys: SshKeys;
  /** The organization's buckets, where object storage is enabled. */
  readonly buckets: Buckets;
  /** Prices, before anything is bought. */
  readonly quotes: Quotes;
}

/**
 * Makes a client for one account. All its calls share one limiter, so use one for each account in a process.
 * @throws Error when no API key is set, or key or address cannot be used
 */
export function createClient(options: ClientOptions = {}): Client {
  return clientOf(coreOf(options));
}

/** What the calls of one client share. @throws Error when no API key is set, or key or address cannot be used */
export function coreOf(options: ClientOptions, advice: Advice = clientAdvice): Core {
  const { env = process.env, clock = realClock, transport = undiciTransport } = options;
  const apiKey = options.apiKey || env["TENSORPOOL_KEY"];
  if (!apiKey) {
    throw new Error(`Cannot call the TensorPool API: no API key is set. Set ${advice.key}`);
  }
  const address = options.baseUrl || env["TENSORPOOL_ENGINE"] || PUBLIC_ENGINE;
  const { baseUrl, key, keyId } = checkedSettings(apiKey, address, advice.address);
  const scheduler = createScheduler(clock);
  return {
    api: createApi({ baseUrl, key, transport, scheduler, clock, advice }),
    clock,
    keyId,
    askAfterMs: new Map<string, number>(),
  };
}

export function clientOf(core: Core): Client {
  return {
    clusters: objectCalls(core, clusterKind, clusterRecord),
    storage: objectCalls(core, storageVolumeKind, storageRecord),
    attachments: attachmentCalls(core),
    requests: requestCalls(core),
    jobs: jobCalls(core),
    sshKeys: sshKeyCalls(core),
    buckets: bucketCalls(core),
    quotes: quoteCalls(core),
  };
}
