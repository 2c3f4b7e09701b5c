import type { dynamic } from "@pulumi/pulumi";
import { bucketResource } from "../operations/bucket.ts";
import { clusterKind } from "../operations/cluster.ts";
import { objectResource, type Resource } from "../operations/resource.ts";
import { sshKeyResource } from "../operations/ssh-key.ts";
import { storageAttachmentResource } from "../operations/storage-attachment.ts";
import { storageVolumeKind } from "../operations/storage-volume.ts";
import type { Host } from "./host.ts";
import { seedHooks } from "./seed.ts";
import { wrap } from "./wrap.ts";

export type Hooks = dynamic.ResourceProvider;

/** Every kind of resource under the name that state files know it by. These names are never changed. */
export interface AllHooks {
  readonly seed: Hooks;
  readonly sshKey: Hooks;
  readonly cluster: Hooks;
  readonly storageVolume: Hooks;
  readonly storageAttachment: Hooks;
  readonly bucket: Hooks;
}

export function hooksOf(host: Host): AllHooks {
  const hooks = (resource: Resource): Hooks => wrap(resource, host);
  return {
    seed: seedHooks(host),
    sshKey: hooks(sshKeyResource),
    cluster: hooks(objectResource(clusterKind)),
    storageVolume: hooks(objectResource(storageVolumeKind)),
    storageAttachment: hooks(storageAttachmentResource),
    bucket: hooks(bucketResource),
  };
}
