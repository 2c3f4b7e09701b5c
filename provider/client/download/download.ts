import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { JobFiles } from "../../api/wire.ts";
import type { Context } from "../../context.ts";
import type { CallOptions } from "../run.ts";
import { fetchFile } from "./fetch-file.ts";
import { type CommandOptions, type Links, openLinks } from "./links.ts";
import { partName, sweepParts } from "./part.ts";
import { openPlace, type Place } from "./place.ts";
import { allSafeParts } from "./safe-path.ts";
import { createSink, type Sink } from "./sink.ts";

/** How far one file is. */
export interface DownloadProgress {
  /** As the API names it. */
  readonly path: string;
  readonly bytes: number;
  /** Where the file server tells. */
  readonly totalBytes: number | undefined;
  readonly isDone: boolean;
  /** Whether it is left as it was, and none of it comes. */
  readonly isKept: boolean;
  /** Of how many files this one is. */
  readonly files: number;
}

export interface DownloadOptions extends CallOptions, CommandOptions {
  /** Replaces files that are there; otherwise they are kept. @default false */
  readonly overwrite?: boolean;
  /** Files under way at the same time, 1 or more. @default 4 */
  readonly atOnce?: number;
  /** Is told of each part that has come. */
  readonly onDownload?: (progress: DownloadProgress) => void;
}

/** One output file of a job, as it is in the folder now. */
export interface DownloadedFile {
  /** As the API names it. */
  readonly path: string;
  /** Where it lies now. */
  readonly file: string;
  /** `kept`: something of this name was there before, and is left as it was. */
  readonly outcome: "downloaded" | "kept";
  /** Its size; `undefined` where it was kept. */
  readonly bytes: number | undefined;
}

/** The files of a job, and what the API says beside them. */
export interface DownloadResult extends Omit<JobFiles, "downloadMap"> {
  readonly files: readonly DownloadedFile[];
}

export async function download(
  context: Context,
  jobId: string,
  folder: string,
  options: DownloadOptions,
): Promise<DownloadResult> {
  const { overwrite = false, atOnce = 4, onDownload = () => undefined } = options;
  if (!Number.isSafeInteger(atOnce) || atOnce < 1) {
    throw new RangeError(`Cannot use atOnce: expected a whole number, 1 or more, current value is ${atOnce}`);
  }
  const links = await openLinks(context, jobId, options);
  const { downloadMap, ...rest } = links.files;
  const paths = Object.keys(downloadMap).filter((path) => isUrl(path, downloadMap[path]));
  const safe = allSafeParts(paths);
  const place = await openPlace(folder);
  const folders = new Set<string>();
  for (const parts of safe.values()) folders.add(await place.folderOf(parts, false));
  await Promise.all([...folders].map(sweepParts));

  const files = new Map<string, DownloadedFile>();
  const errors: unknown[] = [];
  const waiting = safe.entries();
  async function work(): Promise<void> {
    for (const [path, parts] of waiting) {
      const seen: Wanted["seen"] = (bytes, totalBytes, is) =>
        onDownload({ path, bytes, totalBytes, isDone: is !== "coming", isKept: is === "kept", files: safe.size });
      try {
        files.set(path, await one(context, links, place, { path, parts, overwrite, seen }));
      } catch (error) {
        if (context.signal.aborted) return;
        errors.push(error);
      }
    }
  }
  // Also when one is stopped the others take away what they have begun.
  await Promise.allSettled(Array.from({ length: Math.min(atOnce, safe.size) }, work));
  context.signal.throwIfAborted();
  if (errors.length > 0) throw failure(errors, safe.size, jobId);
  return { ...rest, files: paths.flatMap((path) => files.get(path) ?? []) };
}

interface Wanted {
  readonly path: string;
  readonly parts: readonly string[];
  readonly overwrite: boolean;
  readonly seen: (bytes: number, totalBytes: number | undefined, is: "coming" | DownloadedFile["outcome"]) => void;
}

async function one(
  context: Context,
  links: Links,
  place: Place,
  { path, parts, overwrite, seen }: Wanted,
): Promise<DownloadedFile> {
  const file = place.fileOf(parts);
  const kept = (): DownloadedFile => {
    seen(0, undefined, "kept");
    return { path, file, outcome: "kept", bytes: undefined };
  };
  const mustKeep = async (): Promise<boolean> => (await place.isThere(parts)) && !overwrite;
  if (await mustKeep()) return kept();
  const part = join(await place.folderOf(parts, true), partName());
  try {
    const bytes = await whole(part, async (sink) =>
      fetchFile(context, links, path, sink, (now, total) => seen(now, total, "coming")),
    );
    // The download may have taken hours: what is true of the folder is looked at again.
    await place.folderOf(parts, false);
    if (await mustKeep()) return kept();
    await rename(part, file);
    seen(bytes, bytes, "downloaded");
    return { path, file, outcome: "downloaded", bytes };
  } finally {
    await rm(part, { force: true });
  }
}

async function whole(part: string, fetch: (sink: Sink) => Promise<number>): Promise<number> {
  const handle = await open(part, "wx");
  try {
    const bytes = await fetch(createSink(handle));
    // Before it gets its name: what has the name is whole, also after a power failure.
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Whether the path has a URL; in a dry run it has none. @throws Error for one that is no web address */
function isUrl(path: string, url: string | null | undefined): boolean {
  if (url === null || url === undefined) return false;
  const isWeb = URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
  if (!isWeb) throw new Error(`Cannot download the file ${JSON.stringify(path)}: what the API gives is no web address`);
  return true;
}

function failure(errors: readonly unknown[], files: number, jobId: string): AggregateError {
  const [first] = errors;
  const why = first instanceof Error ? first.message : String(first);
  return new AggregateError(
    errors,
    `Cannot download ${errors.length} of the ${files} files of job ${jobId}: ${why}. The others are in place; run it again to download what is missing`,
  );
}
