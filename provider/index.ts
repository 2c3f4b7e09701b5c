/**
 * Resources, functions and the estimate of costs, for Pulumi programs.
 * @module pulumi-tensorpool
 */

export type { Instance, ObjectStorageCredentials } from "./api/wire.ts";
export { Bucket, type BucketArgs } from "./bucket.ts";
export type { ClusterRecord, Job, SshKeyRecord, StorageRecord } from "./client/records.ts";
export { Cluster, type ClusterArgs } from "./cluster.ts";
export { type CostEstimate, type EstimateCostOptions, estimateCost, type ResourceCost } from "./cost/estimate-cost.ts";
export {
  getCluster,
  getClusterOutput,
  getClusters,
  getClustersOutput,
  getJob,
  getJobOutput,
  getJobs,
  getJobsOutput,
  getObjectStorageCredentials,
  getObjectStorageCredentialsOutput,
  getSshKeys,
  getSshKeysOutput,
  getStorageVolume,
  getStorageVolumeOutput,
  getStorageVolumes,
  getStorageVolumesOutput,
} from "./functions/functions.ts";
export type * from "./functions/types.ts";
export type { InstanceType } from "./operations/instance-types.ts";
export { Provider, type ProviderArgs } from "./provider.ts";
export { SshKey, type SshKeyArgs } from "./ssh-key.ts";
export { StorageAttachment, type StorageAttachmentArgs } from "./storage-attachment.ts";
export { StorageVolume, type StorageVolumeArgs } from "./storage-volume.ts";
