export type { Instance } from "./api/wire.ts";
export { Bucket, type BucketArgs } from "./bucket.ts";
export { Cluster, type ClusterArgs } from "./cluster.ts";
export type { InstanceType } from "./operations/instance-types.ts";
export { Provider, type ProviderArgs } from "./provider.ts";
export { SshKey, type SshKeyArgs } from "./ssh-key.ts";
export { StorageAttachment, type StorageAttachmentArgs } from "./storage-attachment.ts";
export { StorageVolume, type StorageVolumeArgs } from "./storage-volume.ts";
