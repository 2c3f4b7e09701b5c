import * as routes from "../api/routes.ts";
import { type JobFiles, jobFields } from "../api/wire.ts";
import type { Looking } from "../operations/look.ts";
import { type CancelResult, cancelJob } from "./cancel-job.ts";
import { type DownloadOptions, type DownloadResult, download } from "./download/download.ts";
import { type CommandOptions, pull } from "./download/links.ts";
import { getOne, type ListOptions, listAll } from "./list.ts";
import { type Job, jobRecord } from "./records.ts";
import { type CallOptions, type Core, run } from "./run.ts";

export interface PullOptions extends CallOptions, CommandOptions {
  /** Lists the files without URLs. @default false */
  readonly dryRun?: boolean;
}

/** Jobs that run on clusters. */
export interface Jobs {
  /** The account's jobs, of any status. */
  list(options?: ListOptions): Promise<Job[]>;
  /** @throws ApiError 404 when there is none */
  get(id: string, options?: CallOptions): Promise<Job>;
  /** Cancels a job and waits until it is over; says whether it had ended by itself. */
  cancel(id: string, options?: CallOptions): Promise<CancelResult>;
  /** Asks where a job's output files are. A command in the answer is text: it is never run. */
  pull(id: string, options?: PullOptions): Promise<JobFiles>;
  /**
   * Downloads the output files of a completed job into `folder`, which is made where it is missing.
   * @throws Error before anything is downloaded when a path would leave the folder
   * @throws AggregateError when some of the files could not be downloaded; the others are in place
   */
  download(id: string, folder: string, options?: DownloadOptions): Promise<DownloadResult>;
}

export const jobs: Looking = {
  noun: "job",
  routes: { list: routes.listJobs, info: routes.jobInfo },
  listKey: "jobs",
  infoKey: "job_info",
  known: jobFields,
};

export function jobCalls(core: Core): Jobs {
  return {
    async list(options = {}) {
      return (await listAll(core, jobs, options)).map(({ id, live }) => jobRecord(id, live));
    },
    async get(id, options = {}) {
      const found = await getOne(core, jobs, id, options);
      return jobRecord(found.id, found.live);
    },
    cancel: (id, options = {}) => run(core, `cancel job "${id}"`, options, (context) => cancelJob(context, jobs, id)),
    pull: (id, options = {}) =>
      run(core, `pull job "${id}"`, options, (context) => pull(context, id, options, options.dryRun ?? false)),
    download: (id, folder, options = {}) =>
      // How long a download may take nobody knows: only the caller ends it.
      run(
        core,
        `download job "${id}"`,
        options,
        (context) => download(context, id, folder, options),
        Number.POSITIVE_INFINITY,
      ),
  };
}
