import { type Fields, flag, isFields, number, objects, text, texts } from "../json.ts";

/**
 * What the API sends, turned into this package's names. Every field but an id may be missing, unknown ones are ignored,
 * and a status that nobody has documented is passed on as it is. Keys marked "assumed" have not been seen anywhere.
 */

/** The answer to an accepted change. */
export interface Accepted {
  /** Of the new object, where the answer tells. */
  readonly id: string | undefined;
  /** Handles to ask `/request/info` with; none for an edit. */
  readonly requestIds: readonly string[];
}

export function accepted(body: Fields, idKey: string): Accepted {
  const one = text(body, "request_id");
  const all = [...(one === undefined ? [] : [one]), ...(texts(body, "request_ids") ?? [])];
  return { id: text(body, idKey), requestIds: [...new Set(all)].filter((requestId) => requestId !== "") };
}

/** The server's words as a part of a sentence: what follows them in a message brings a full stop of its own. */
export function withoutStop(words: string): string {
  return words.replace(/(?<=[^.\s])\.\s*$/, "");
}

/** How an accepted request stands. */
export interface RequestInfo {
  /** In upper case; empty when the answer has none. */
  readonly status: string;
  readonly objectId: string | undefined;
  readonly words: string | undefined;
}

export function requestInfo(body: Fields): RequestInfo {
  const said = text(body, "message") ?? text(body, "error") ?? text(body, "detail");
  // The general text first, then the reason that the server gives to users, where it is another one.
  const words = new Set([said, text(body, "external_message")].filter((one) => one !== undefined));
  return {
    status: text(body, "status")?.toUpperCase() ?? "",
    objectId: text(body, "object_id"),
    words: [...words].map(withoutStop).join(": ") || undefined,
  };
}

/** One node of a cluster. */
export interface Instance {
  /** Such as `i-…`. */
  readonly id?: string;
  readonly status?: string;
  /** The address to reach it at from outside; workers of a multi-node cluster have none. */
  readonly ipAddress?: string;
  readonly privateIpAddress?: string;
}

/** A record's fields under this package's names; those that the record lacks are left out. */
export function clusterFields(record: Fields): Fields {
  return known({
    name: text(record, "name") ?? text(record, "tp_cluster_name"),
    status: text(record, "status")?.toUpperCase(), // assumed
    instanceType: text(record, "instance_type"),
    numNodes: number(record, "num_nodes"), // assumed
    container: text(record, "container"), // assumed
    deletionProtection: flag(record, "deletion_protection"),
    instances: objects(record, "instances")?.map(instance),
    createdAt: text(record, "created_at"), // assumed
  });
}

function instance(record: Fields): Fields {
  return known({
    id: text(record, "id"),
    status: text(record, "status")?.toUpperCase(),
    ipAddress: text(record, "ip_address") ?? text(record, "public_ip"), // both assumed
    privateIpAddress: text(record, "private_ip_address") ?? text(record, "private_ip"), // both assumed
  });
}

export function volumeFields(record: Fields): Fields {
  return known({
    name: text(record, "name"),
    status: text(record, "status")?.toUpperCase(), // assumed
    sizeGb: number(record, "size_gb"),
    deletionProtection: flag(record, "deletion_protection"),
    createdAt: text(record, "created_at"), // assumed
  });
}

/** The ids of the other end that a record names as attached, or `undefined` when it does not tell. */
export function attachedIds(record: Fields): string[] | undefined {
  const key = "attached_clusters" in record ? "attached_clusters" : "storage";
  const all = record[key];
  if (!Array.isArray(all)) return undefined;
  return all.flatMap((one) => (isFields(one) ? (text(one, "id") ?? []) : typeof one === "string" ? one : []));
}

export function sshKeyFields(record: Fields): Fields {
  return known({ name: text(record, "name"), publicKey: text(record, "public_key") });
}

export function jobFields(record: Fields): Fields {
  return known({
    name: text(record, "name"), // assumed
    status: text(record, "status")?.toLowerCase(),
    clusterId: text(record, "cluster_id"), // assumed
    instanceType: text(record, "instance_type"), // assumed
    exitCode: number(record, "exit_code"),
    message: text(record, "public_message"), // assumed
    createdAt: text(record, "created_at"), // assumed
  });
}

/** Where the output files of a job are to be had. */
export interface JobFiles {
  /** Status or instructions, in the server's own words. */
  readonly message: string;
  /** Signed URLs by path; each is `null` in a dry run. Whoever has such a URL can read the file. */
  readonly downloadMap: Readonly<Record<string, string | null>>;
  /** An rsync command, for a job whose machine is still there. Text from the server: this package never runs it. */
  readonly command: string | null;
  /** Whether the server means the command's output to be shown. */
  readonly commandShowStdout: boolean | null;
}

export function jobFiles(body: Fields): JobFiles {
  const map = body["download_map"];
  const files = Object.entries(isFields(map) ? map : {});
  return {
    message: text(body, "message") ?? "",
    downloadMap: Object.fromEntries(files.map(([path, url]) => [path, typeof url === "string" ? url : null])),
    command: text(body, "command") ?? null,
    commandShowStdout: flag(body, "command_show_stdout") ?? null,
  };
}

/** Names of buckets, or `undefined` when the answer has no list: of names or of records that have one, nobody says which. */
export function bucketNames({ buckets }: Fields): string[] | undefined {
  if (!Array.isArray(buckets)) return undefined;
  return buckets.flatMap((one) => (isFields(one) ? (text(one, "name") ?? []) : typeof one === "string" ? one : []));
}

/** Keys to the organization's object storage, which speaks S3. */
export interface ObjectStorageCredentials {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** @throws Error that names what the answer lacks: with less than all of it nobody gets in */
export function objectStorageCredentials(body: Fields): ObjectStorageCredentials {
  const [endpoint, region] = [text(body, "endpoint"), text(body, "region")];
  const [accessKeyId, secretAccessKey] = [text(body, "access_key_id"), text(body, "secret_access_key")];
  if (endpoint && region && accessKeyId && secretAccessKey) return { endpoint, region, accessKeyId, secretAccessKey };
  const missing = ["endpoint", "region", "access_key_id", "secret_access_key"].filter((key) => !text(body, key));
  throw new Error(`Cannot get the object storage credentials: the API's answer lacks ${missing.join(", ")}`);
}

/** The price in a quote; `undefined` when there is none, or it is not in US dollars. */
export function hourlyUsd(body: Fields): number | undefined {
  const rate = number(body, "hourly_rate");
  const currency = text(body, "currency")?.toUpperCase() ?? "USD"; // assumed: the documented answer names none
  return rate !== undefined && rate >= 0 && currency === "USD" ? rate : undefined;
}

/** The record in an answer of an info endpoint, which wraps it as `key` or, tolerated, is it. */
export function recordIn(body: Fields, key: string): Fields {
  const wrapped = body[key];
  return isFields(wrapped) ? wrapped : body;
}

export function known(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
