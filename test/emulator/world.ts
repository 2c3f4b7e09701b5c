import type { Faults } from "./faults.ts";
import type { GeneratedFile } from "./generated.ts";
import type { Operation } from "./operations.ts";
import type { Caller, Owner, Settings } from "./options.ts";
import type { Ids, Random } from "./random.ts";

/** A node of a cluster as the API shows it. */
export interface InstanceRecord {
  readonly id: string;
  readonly ip_address: string | null; // guessed: the key
  readonly private_ip_address: string | null; // guessed: the key
}

/** A cluster as the API shows it. */
export interface ClusterRecord {
  readonly id: string;
  name: string;
  instance_type: string;
  num_nodes: number; // guessed: the key
  status: string; // guessed: the key
  instances: readonly InstanceRecord[];
  deletion_protection: boolean;
  container: string | null; // guessed: the key
  created_at: string; // guessed: the key
}

/** A storage volume as the API shows it. */
export interface VolumeRecord {
  readonly id: string;
  name: string;
  size_gb: number;
  hourly_rate: number;
  status: string; // guessed: the key
  deletion_protection: boolean;
  created_at: string; // guessed: the key
}

/** One object that a bill is written for. It stays here when it is gone, so that no id is used twice. */
export interface Stored<R> extends Caller {
  readonly kind: "cluster" | "volume";
  readonly record: R;
  living: boolean;
  /** The operation that shows in its status. */
  operation: Operation | undefined;
  /** The name that an accepted edit will give it. */
  nextName: string | undefined;
  /** Until then it answers 404. */
  hiddenUntilMs: number;
  /** Until then lists lack it. */
  listedFromMs: number;
}

export type StoredCluster = Stored<ClusterRecord>;
export type StoredVolume = Stored<VolumeRecord>;

export interface JobRecord {
  readonly id: string;
  status: string;
  readonly cluster_id: string | null; // guessed: the key
  readonly instance_type: string | null;
  readonly exit_code: number | null;
  readonly public_message: string | null; // guessed: the key
}

export interface StoredJob extends Caller {
  readonly record: JobRecord;
  /** Output files by path. */
  readonly outputs: Readonly<Record<string, string | GeneratedFile>>;
}

/** A registered SSH key, and whose it is. */
export interface SshKeyRecord extends Caller {
  readonly id: string;
  readonly name: string;
  readonly public_key: string;
}

/** One account's object storage. */
export interface ObjectStorage {
  keys: { readonly access_key_id: string; readonly secret_access_key: string };
  /** Number of objects by bucket. */
  readonly buckets: Map<string, number>;
}

/** All state of one emulator. */
export interface World {
  readonly settings: Settings;
  readonly ids: Ids;
  readonly random: Random;
  readonly faults: Faults;
  /** Where this emulator listens. */
  readonly url: string;
  readonly clusters: Map<string, StoredCluster>;
  readonly volumes: Map<string, StoredVolume>;
  /** Which volume is attached to which cluster, by id. */
  links: readonly { readonly cluster: string; readonly volume: string }[];
  readonly operations: Map<string, Operation>;
  /** Operations that are not terminal yet. */
  readonly underWay: Set<Operation>;
  readonly jobs: Map<string, StoredJob>;
  readonly sshKeys: Map<string, SshKeyRecord>;
  readonly objectStorage: Map<string, ObjectStorage>;
  readonly preferences: Map<string, Record<string, boolean | number | null>>;
}

export function createWorld(given: Pick<World, "settings" | "ids" | "random" | "faults" | "url">): World {
  return {
    ...given,
    clusters: new Map(),
    volumes: new Map(),
    links: [],
    operations: new Map(),
    underWay: new Set(),
    jobs: new Map(),
    sshKeys: new Map(),
    objectStorage: new Map(),
    preferences: new Map(),
  };
}

/** What the server takes for the time: its clock may be off. */
export function serverDate(world: World): Date {
  const { clock, clockSkewSeconds } = world.settings;
  return new Date(clock.now() + clockSkewSeconds * 1_000);
}

/** Whether a list shows what `owned` is: `include_org` asks for the organization's things instead of the personal ones. */
export function isListed(owned: Caller, caller: Caller, includeOrg: boolean): boolean {
  const owner: Owner = includeOrg ? "organization" : "personal";
  return owned.account === caller.account && owned.owner === owner;
}
