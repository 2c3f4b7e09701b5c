/**
 * The API as functions, for programs without Pulumi.
 * @module pulumi-tensorpool/client
 */

export type { HttpRequest, HttpResponse, Transport } from "../api/transport.ts";
export type { Instance, JobFiles, RequestInfo } from "../api/wire.ts";
export type { Progress } from "../context.ts";
export {
  AnswerLostError,
  ApiError,
  NoCapacityError,
  RequestFailedError,
  StoppedError,
  UnfinishedError,
} from "../errors.ts";
export type { Clock } from "../wait/clock.ts";
export type { Verdict } from "../wait/request.ts";
export type { AttachmentEnds, ClusterChanges, NewCluster, NewSshKey, NewStorage, StorageChanges } from "./args.ts";
export type { Attachments } from "./attachments.ts";
export type { Buckets } from "./buckets.ts";
export type { CancelResult } from "./cancel-job.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export type { DownloadedFile, DownloadOptions, DownloadProgress, DownloadResult } from "./download/download.ts";
export type { CommandOptions } from "./download/links.ts";
export type { Jobs, PullOptions } from "./jobs.ts";
export type { ListOptions } from "./list.ts";
export type { CreateWaitOptions, Destroyed, ObjectCalls } from "./objects.ts";
export type { Quote, Quotes } from "./quotes.ts";
export type { ClusterRecord, Job, SshKeyRecord, StorageRecord } from "./records.ts";
export type { Requests } from "./requests.ts";
export type { CallOptions } from "./run.ts";
export type { SshKeys } from "./ssh-keys.ts";
