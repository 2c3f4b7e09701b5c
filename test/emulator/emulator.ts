import type { Fault } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import type { Owner } from "./options.ts";
import type { JobOptions } from "./routes/jobs.ts";
import type { BucketWish } from "./routes/object-storage.ts";
import type { ClusterRecord, SshKeyRecord, VolumeRecord } from "./world.ts";

/** Whose an object is that a test puts there. */
export interface Belongs {
  /** @default the account of the first key */
  readonly account?: string;
  /** @default that of the first key */
  readonly owner?: Owner;
}

/** One running API, and a hand behind its back for tests. */
export interface Emulator extends AsyncDisposable {
  /** What `TENSORPOOL_ENGINE` is to be set to. */
  readonly url: string;
  /** What is billed, what ever was, and every request; the same as `GET /__emulator/ledger`. */
  ledger(): Ledger;
  /**
   * Lets something go wrong from now on.
   * @throws RangeError for a route that does not exist
   */
  addFault(fault: Fault): void;
  /** Replaces all faults that have not struck yet. */
  setFaults(faults: readonly Fault[]): void;
  /** Lets nothing more go wrong. */
  clearFaults(): void;
  /** How often each kind has struck. */
  faultsFired(): Record<string, number>;
  /**
   * Changes fields of a cluster or volume behind everybody's back; `storage` and `attached_clusters` change what is
   * attached, on both sides.
   * @throws RangeError when nothing has that id
   */
  edit(id: string, change: Readonly<Record<string, unknown>>): void;
  /** Makes a cluster or volume vanish behind everybody's back. @throws RangeError when nothing has that id */
  remove(id: string): void;
  /** Puts a running cluster there without a call; returns its id. */
  addCluster(wish?: Partial<ClusterRecord> & Belongs): string;
  /** Puts a ready volume there without a call; returns its id. */
  addVolume(wish?: Partial<VolumeRecord> & Belongs): string;
  /** Registers an SSH key without a call; returns its id. */
  addSshKey(wish: Pick<SshKeyRecord, "public_key"> & Partial<SshKeyRecord> & Belongs): string;
  /**
   * Puts a bucket there without a call, with object storage enabled, or sets how many objects the one of this name holds;
   * returns its name.
   */
  addBucket(wish: BucketWish & Belongs): string;
  /** Puts a job there, by default a completed one; returns its id. */
  addJob(job?: JobOptions & Belongs): string;
  /** Back to the state after the start; ids are not used again. */
  reset(): void;
  /** Stops listening and ends the open connections. */
  close(): Promise<void>;
}
