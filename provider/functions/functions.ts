import * as pulumi from "@pulumi/pulumi";
import type { ObjectStorageCredentials } from "../api/wire.ts";
import { question } from "./ask.ts";
import type * as types from "./types.ts";

/*
 * They read, in previews too, and change nothing. The same question is asked once in a run of the program. The plain forms
 * give promises; the others take outputs and give one, which is unknown where what it depends on is yet to be created.
 */

type Options = types.FunctionOptions;

const cluster = question("getCluster", (account, args: types.GetClusterArgs) => account.cluster(args));
const clusters = question("getClusters", (account, args: types.GetClustersArgs) => account.clusters(args));
const volume = question("getStorageVolume", (account, args: types.GetStorageVolumeArgs) => account.storageVolume(args));
const volumes = question("getStorageVolumes", (account, args: types.GetStorageVolumesArgs) =>
  account.storageVolumes(args),
);
const sshKeys = question("getSshKeys", (account, args: types.GetSshKeysArgs) => account.sshKeys(args));
const job = question("getJob", (account, args: types.GetJobArgs) => account.job(args));
const jobs = question("getJobs", (account, args: types.GetJobsArgs) => account.jobs(args));
const credentials = question("getObjectStorageCredentials", (account, args: object) => account.credentials(args));

/**
 * Looks a cluster up by id or name.
 * @throws TypeError when neither or both are given
 * @throws pulumi.RunError when there is none, or the name fits several
 */
export function getCluster(args: types.GetClusterArgs, opts?: Options): Promise<types.GetClusterResult> {
  return cluster.plain(args, opts);
}

/** {@link getCluster} with arguments that may be outputs. */
export function getClusterOutput(
  args: pulumi.Input<types.GetClusterOutputArgs>,
  opts?: Options,
): pulumi.Output<types.GetClusterResult> {
  return cluster.output(pulumi.output(args), opts);
}

/** All clusters that the API key shows. */
export function getClusters(args: types.GetClustersArgs = {}, opts?: Options): Promise<types.GetClustersResult> {
  return clusters.plain(args, opts);
}

/** {@link getClusters} with arguments that may be outputs. */
export function getClustersOutput(
  args: pulumi.Input<types.GetClustersOutputArgs> = {},
  opts?: Options,
): pulumi.Output<types.GetClustersResult> {
  return clusters.output(pulumi.output(args), opts);
}

/**
 * Looks a storage volume up by id or name.
 * @throws TypeError when neither or both are given
 * @throws pulumi.RunError when there is none, or the name fits several
 */
export function getStorageVolume(
  args: types.GetStorageVolumeArgs,
  opts?: Options,
): Promise<types.GetStorageVolumeResult> {
  return volume.plain(args, opts);
}

/** {@link getStorageVolume} with arguments that may be outputs. */
export function getStorageVolumeOutput(
  args: pulumi.Input<types.GetStorageVolumeOutputArgs>,
  opts?: Options,
): pulumi.Output<types.GetStorageVolumeResult> {
  return volume.output(pulumi.output(args), opts);
}

/** All storage volumes that the API key shows. */
export function getStorageVolumes(
  args: types.GetStorageVolumesArgs = {},
  opts?: Options,
): Promise<types.GetStorageVolumesResult> {
  return volumes.plain(args, opts);
}

/** {@link getStorageVolumes} with arguments that may be outputs. */
export function getStorageVolumesOutput(
  args: pulumi.Input<types.GetStorageVolumesOutputArgs> = {},
  opts?: Options,
): pulumi.Output<types.GetStorageVolumesResult> {
  return volumes.output(pulumi.output(args), opts);
}

/** All SSH keys that the API key shows. */
export function getSshKeys(args: types.GetSshKeysArgs = {}, opts?: Options): Promise<types.GetSshKeysResult> {
  return sshKeys.plain(args, opts);
}

/** {@link getSshKeys} with arguments that may be outputs. */
export function getSshKeysOutput(
  args: pulumi.Input<types.GetSshKeysOutputArgs> = {},
  opts?: Options,
): pulumi.Output<types.GetSshKeysResult> {
  return sshKeys.output(pulumi.output(args), opts);
}

/**
 * Looks a job up by its id.
 * @throws pulumi.RunError when there is none
 */
export function getJob(args: types.GetJobArgs, opts?: Options): Promise<types.GetJobResult> {
  return job.plain(args, opts);
}

/** {@link getJob} with arguments that may be outputs. */
export function getJobOutput(
  args: pulumi.Input<types.GetJobOutputArgs>,
  opts?: Options,
): pulumi.Output<types.GetJobResult> {
  return job.output(pulumi.output(args), opts);
}

/** All jobs that the API key shows. */
export function getJobs(args: types.GetJobsArgs = {}, opts?: Options): Promise<types.GetJobsResult> {
  return jobs.plain(args, opts);
}

/** {@link getJobs} with arguments that may be outputs. */
export function getJobsOutput(
  args: pulumi.Input<types.GetJobsOutputArgs> = {},
  opts?: Options,
): pulumi.Output<types.GetJobsResult> {
  return jobs.output(pulumi.output(args), opts);
}

/**
 * Keys to the organization's object storage. The two keys are secret outputs, so that no state shows them.
 * @throws pulumi.RunError when object storage is not enabled
 */
export async function getObjectStorageCredentials(opts?: Options): Promise<types.GetObjectStorageCredentialsResult> {
  const { accessKeyId, secretAccessKey, ...open } = await credentials.plain({}, opts);
  return { ...open, accessKeyId: pulumi.secret(accessKeyId), secretAccessKey: pulumi.secret(secretAccessKey) };
}

/** {@link getObjectStorageCredentials} as one output, all of it secret. */
export function getObjectStorageCredentialsOutput(opts?: Options): pulumi.Output<ObjectStorageCredentials> {
  return pulumi.secret(credentials.output(pulumi.output({}), opts));
}
