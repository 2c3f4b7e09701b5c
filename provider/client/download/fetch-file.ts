import { failureOf } from "../../api/failure.ts";
import type { Context } from "../../context.ts";
import { backoffMs, retryAfterMs } from "../../wait/retry-after.ts";
import { meaningOf, validatorOf } from "./answer.ts";
import type { Links } from "./links.ts";
import type { Sink } from "./sink.ts";
import { openUrl, type Streamed } from "./stream.ts";

/** Tries in a row that bring no new byte, after which a file is given up. */
const MOST_FAILURES = 6;
/** Fresh URLs in a row that are refused as well. */
const MOST_RENEWALS = 2;
const LONGEST_BACKOFF_MS = 30_000;

type Seen = (bytes: number, totalBytes: number | undefined) => void;

/**
 * Brings one file of a job into `sink`, from where it broke off, until it is whole.
 * @returns its size in bytes
 */
export async function fetchFile(context: Context, links: Links, path: string, sink: Sink, seen: Seen): Promise<number> {
  const { clock, signal } = context;
  const cannot = (why: string, cause?: unknown): Error =>
    new Error(`Cannot download the file ${JSON.stringify(path)}: ${why}`, { cause });
  let url = links.urlOf(path);
  /** The most there has ever been: only more than that is progress. */
  let mostBytes = 0;
  let totalBytes: number | undefined;
  let validator: string | undefined;
  let failures = 0;
  let renewals = 0;

  function note(): void {
    if (sink.bytes > mostBytes) [mostBytes, failures, renewals] = [sink.bytes, 0, 0];
    seen(sink.bytes, totalBytes);
  }

  async function again(why: string, answer?: Streamed, cause?: unknown): Promise<void> {
    failures += 1;
    if (failures >= MOST_FAILURES) throw cannot(`${why}, ${failures} times in a row`, cause);
    const wishMs = retryAfterMs(answer?.header("retry-after"), answer?.header("date"), clock.now());
    await clock.sleep(wishMs ?? backoffMs(failures, LONGEST_BACKOFF_MS), signal);
  }

  for (;;) {
    // Without a proof that it is still the same file, all must come from one answer.
    const offset = validator === undefined ? 0 : sink.bytes;
    const part: Record<string, string> =
      validator !== undefined && offset > 0 ? { range: `bytes=${offset}-`, "if-range": validator } : {};
    const answer = await openOrError(url, { "accept-encoding": "identity", ...part }, signal);
    if (answer instanceof Error) {
      signal.throwIfAborted();
      await again(`no answer from ${hostOf(url)}: ${failureOf(answer).words}`, undefined, answer);
      continue;
    }
    const meaning = meaningOf(answer, offset);
    if (meaning.kind !== "bytes") await answer.drop();
    const words = `${hostOf(url)} answered ${answer.status}`;
    switch (meaning.kind) {
      case "bytes": {
        const isAll = meaning.from === 0;
        // A server may answer with a part of another file all the same; one may also forget how long it is.
        if (!isAll && (isOther(validator, validatorOf(answer)) || isOther(totalBytes, meaning.totalBytes))) {
          validator = undefined;
          await answer.drop();
          await again(`${words} with a part of another file`, answer);
          break;
        }
        totalBytes = meaning.totalBytes ?? (isAll ? undefined : totalBytes);
        if (isAll) {
          validator = validatorOf(answer);
          await sink.restart();
        }
        const broken = await pour(answer, sink, note, signal);
        const { bytes } = sink;
        if (broken === undefined && (totalBytes === undefined || bytes === totalBytes)) return bytes;
        if (totalBytes !== undefined && bytes > totalBytes) validator = undefined;
        await again(`${hostOf(url)} broke off after ${bytes} bytes`, undefined, broken);
        break;
      }
      case "whole":
        return sink.bytes;
      case "restart":
        validator = undefined;
        await again(`${words} with another part of the file than was asked for`, answer);
        break;
      case "refused":
        if (renewals >= MOST_RENEWALS) throw cannot(`${words}, also with a new URL`);
        renewals += 1;
        url = await links.renew(path, url);
        break;
      case "again":
        await again(words, answer);
        break;
      case "failed":
        throw cannot(words);
    }
  }
}

function isOther<T>(known: T | undefined, now: T | undefined): boolean {
  return known !== undefined && now !== undefined && known !== now;
}

/** Reads a body to its end; what breaks on the way is returned, what cannot be written, or told, is thrown. */
async function pour({ body }: Streamed, sink: Sink, note: () => void, signal: AbortSignal): Promise<Error | undefined> {
  let isReading = true;
  let broken: Error | undefined;
  try {
    for await (const chunk of body) {
      isReading = false;
      await sink.push(chunk);
      note();
      isReading = true;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!isReading || !(error instanceof Error)) throw error;
    broken = error;
  }
  await sink.flush();
  return broken;
}

async function openOrError(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Streamed | Error> {
  try {
    return await openUrl(url, headers, signal);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** All of a signed URL that may be shown. */
function hostOf(url: string): string {
  return new URL(url).host;
}
