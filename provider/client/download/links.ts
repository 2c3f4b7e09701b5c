import * as routes from "../../api/routes.ts";
import { type JobFiles, jobFiles } from "../../api/wire.ts";
import type { Context } from "../../context.ts";

/** For whom the server is to write the `command` of its answer. */
export interface CommandOptions {
  /** @default the server chooses */
  readonly system?: "windows" | "linux" | "darwin";
  /** The private key file that the command is to name; only its path is sent. */
  readonly privateKeyPath?: string;
}

const SYSTEMS: readonly string[] = ["windows", "linux", "darwin"];

/** Asks where a job's output files are. @throws TypeError for a system that the API does not know */
export async function pull(
  { api, signal }: Context,
  id: string,
  { system, privateKeyPath }: CommandOptions,
  isDryRun: boolean,
): Promise<JobFiles> {
  if (system !== undefined && !SYSTEMS.includes(system)) {
    throw new TypeError(`Cannot use system "${String(system)}": expected ${SYSTEMS.join(", ")}`);
  }
  const query = {
    dry_run: String(isDryRun),
    ...(system !== undefined && { system }),
    ...(privateKeyPath !== undefined && { private_key_path: privateKeyPath }),
  };
  return jobFiles((await api.call(routes.pullJob, { id, query, signal })).body);
}

/** The signed URLs of one job's files. */
export interface Links {
  /** The API's first answer. */
  readonly files: JobFiles;
  urlOf(path: string): string;
  /** Another URL than `expired`: one that is here already, or one that the API is asked for, once for all that wait. */
  renew(path: string, expired: string): Promise<string>;
}

export async function openLinks(context: Context, id: string, options: CommandOptions): Promise<Links> {
  const files = await pull(context, id, options, false);
  let map = files.downloadMap;
  let asking: Promise<void> | undefined;

  function urlOf(path: string): string {
    const url = map[path];
    if (typeof url === "string") return url;
    throw new Error(`Cannot download the file ${JSON.stringify(path)}: the API no longer gives a URL for it`);
  }

  return {
    files,
    urlOf,
    async renew(path, expired) {
      if (urlOf(path) !== expired) return urlOf(path);
      asking ??= pull(context, id, options, false)
        .then((now) => {
          map = now.downloadMap;
        })
        .finally(() => {
          asking = undefined;
        });
      await asking;
      return urlOf(path);
    },
  };
}
