import type * as pulumi from "@pulumi/pulumi";
import type { ClusterRecord, Job, SshKeyRecord, StorageRecord } from "../client/records.ts";

/**
 * Options of the functions. `provider`: a Provider, whose account is asked; `parent`: the account of this resource's
 * provider is asked. `async` changes nothing: the functions always are. @default the stack's own account
 */
export type FunctionOptions = Pick<pulumi.InvokeOptions, "provider" | "parent" | "async">;

/** One object, by its id. */
export interface ById<T> {
  /** The API's, such as `c-…`, `s-…` or `j-…`. */
  readonly id: T;
  readonly name?: undefined;
}

/** One object, by its name among the key's own and its organization's. */
export interface ByName<T> {
  readonly name: T;
  readonly id?: undefined;
}

/** All objects of a kind. */
export interface All<T> {
  /** Also what the key's organization owns. @default false */
  readonly includeOrg?: T;
}

export type GetClusterArgs = ById<string> | ByName<string>;
export type GetClusterOutputArgs = ById<pulumi.Input<string>> | ByName<pulumi.Input<string>>;
/** What the API does not tell is `undefined`. */
export type GetClusterResult = ClusterRecord;

export type GetClustersArgs = All<boolean>;
export type GetClustersOutputArgs = All<pulumi.Input<boolean>>;
/** The clusters that the key sees, each once. */
export interface GetClustersResult {
  readonly clusters: ClusterRecord[];
}

export type GetStorageVolumeArgs = GetClusterArgs;
export type GetStorageVolumeOutputArgs = GetClusterOutputArgs;
/** What the API does not tell is `undefined`. */
export type GetStorageVolumeResult = StorageRecord;

export type GetStorageVolumesArgs = All<boolean>;
export type GetStorageVolumesOutputArgs = All<pulumi.Input<boolean>>;
/** The storage volumes that the key sees, each once. */
export interface GetStorageVolumesResult {
  readonly storageVolumes: StorageRecord[];
}

export type GetSshKeysArgs = All<boolean>;
export type GetSshKeysOutputArgs = All<pulumi.Input<boolean>>;
/** The SSH keys that the key sees, each once. */
export interface GetSshKeysResult {
  readonly sshKeys: SshKeyRecord[];
}

export type GetJobArgs = ById<string>;
export type GetJobOutputArgs = ById<pulumi.Input<string>>;
/** What the API does not tell is `undefined`. */
export type GetJobResult = Job;

export type GetJobsArgs = All<boolean>;
export type GetJobsOutputArgs = All<pulumi.Input<boolean>>;
/** The jobs that the key sees, each once. */
export interface GetJobsResult {
  readonly jobs: Job[];
}

/** Keys to the organization's object storage, which speaks S3. The two keys are secret outputs, so that no state shows them. */
export interface GetObjectStorageCredentialsResult {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: pulumi.Output<string>;
  readonly secretAccessKey: pulumi.Output<string>;
}
