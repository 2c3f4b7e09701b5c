import { type KindName, providerText, typeToken } from "../frozen.ts";
import type { Fields } from "../json.ts";
import { bucketResource } from "../operations/bucket.ts";
import { clusterKind } from "../operations/cluster.ts";
import { objectResource, type Resource } from "../operations/resource.ts";
import { sshKeyResource } from "../operations/ssh-key.ts";
import { storageAttachmentResource } from "../operations/storage-attachment.ts";
import { storageVolumeKind } from "../operations/storage-volume.ts";

/** A kind of resource, as the command line, programs and state files call it. */
export interface TakeOverKind {
  /** On the command line. */
  readonly word: "cluster" | "volume" | "attachment" | "key" | "bucket";
  /** In programs, such as `Cluster`. */
  readonly className: string;
  /** In state files. */
  readonly type: string;
  readonly providerText: string;
  readonly resource: Resource;
}

function kind(word: TakeOverKind["word"], className: string, name: KindName, resource: Resource): TakeOverKind {
  return { word, className, type: typeToken(className), providerText: providerText(name), resource };
}

export const CLUSTER: TakeOverKind = kind("cluster", "Cluster", "cluster", objectResource(clusterKind));
export const VOLUME: TakeOverKind = kind("volume", "StorageVolume", "storageVolume", objectResource(storageVolumeKind));

export const KINDS: readonly TakeOverKind[] = [
  CLUSTER,
  VOLUME,
  kind("attachment", "StorageAttachment", "storageAttachment", storageAttachmentResource),
  kind("key", "SshKey", "sshKey", sshKeyResource),
  kind("bucket", "Bucket", "bucket", bucketResource),
];

/** The arguments of a resource that are known. */
export function knownArguments({ resource }: TakeOverKind, source: Fields): Fields {
  const keys = Object.keys(resource.fields).filter((key) => (source[key] ?? undefined) !== undefined);
  return Object.fromEntries(keys.map((key) => [key, source[key]]));
}
