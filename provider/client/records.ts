import type { Instance } from "../api/wire.ts";
import { type Fields, flag, number, objects, text } from "../json.ts";

/** A cluster as the API shows it; what the API does not tell is `undefined`. */
export interface ClusterRecord {
  /** Such as `c-…`. */
  readonly id: string;
  readonly name: string | undefined;
  /** Such as `RUNNING`. */
  readonly status: string | undefined;
  readonly instanceType: string | undefined;
  readonly numNodes: number | undefined;
  readonly container: string | undefined;
  readonly deletionProtection: boolean | undefined;
  readonly instances: readonly Instance[] | undefined;
  readonly createdAt: string | undefined;
}

/** A storage volume as the API shows it. */
export interface StorageRecord {
  /** Such as `s-…`. */
  readonly id: string;
  readonly name: string | undefined;
  /** Such as `READY`. */
  readonly status: string | undefined;
  readonly sizeGb: number | undefined;
  readonly deletionProtection: boolean | undefined;
  /** Where the volume is found on an attached cluster. */
  readonly mountPath: string;
  readonly createdAt: string | undefined;
}

/** A job as the API shows it. */
export interface Job {
  readonly id: string;
  readonly name: string | undefined;
  /** `pending`, `running`, `completed`, `error`, `failed`, `canceling`, `canceled`, or a newer word of the API. */
  readonly status: string | undefined;
  readonly clusterId: string | undefined;
  readonly instanceType: string | undefined;
  readonly exitCode: number | undefined;
  readonly message: string | undefined;
  readonly createdAt: string | undefined;
}

/** A registered SSH key. */
export interface SshKeyRecord {
  readonly id: string;
  readonly name: string | undefined;
  readonly publicKey: string | undefined;
}

/** @param live the record under this package's names */
export function clusterRecord(id: string, live: Fields): ClusterRecord {
  return {
    id,
    name: text(live, "name"),
    status: text(live, "status"),
    instanceType: text(live, "instanceType"),
    numNodes: number(live, "numNodes"),
    container: text(live, "container"),
    deletionProtection: flag(live, "deletionProtection"),
    instances: objects(live, "instances"),
    createdAt: text(live, "createdAt"),
  };
}

/** @param live the record under this package's names */
export function storageRecord(id: string, live: Fields): StorageRecord {
  return {
    id,
    name: text(live, "name"),
    status: text(live, "status"),
    sizeGb: number(live, "sizeGb"),
    deletionProtection: flag(live, "deletionProtection"),
    mountPath: `/mnt/${id}`,
    createdAt: text(live, "createdAt"),
  };
}

/** @param live the record under this package's names */
export function jobRecord(id: string, live: Fields): Job {
  return {
    id,
    name: text(live, "name"),
    status: text(live, "status"),
    clusterId: text(live, "clusterId"),
    instanceType: text(live, "instanceType"),
    exitCode: number(live, "exitCode"),
    message: text(live, "message"),
    createdAt: text(live, "createdAt"),
  };
}

/** @param live the record under this package's names */
export function sshKeyRecord(id: string, live: Fields): SshKeyRecord {
  return { id, name: text(live, "name"), publicKey: text(live, "publicKey") };
}
