import * as routes from "../api/routes.ts";
import { bucketNames } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { isMissing, shared } from "./look.ts";
import { registryOf } from "./registry.ts";

/** In what this process knows of objects by id: a bucket may be called like anything. */
export const entry = (name: string): string => `bucket ${name}`;

/**
 * The names of all buckets of the organization, in a list no older than this call.
 * @throws ApiError that says what to do when object storage is not enabled
 */
export async function listBuckets(context: Pick<Context, "api" | "clock" | "signal">): Promise<string[]> {
  const list = await shared(context, routes.listBuckets, async () => {
    const { body } = await context.api.call(routes.listBuckets).catch(notEnabled);
    return bucketNames(body)?.map((name) => ({ id: name, live: { name } }));
  });
  if (list === undefined)
    throw new Error(`Cannot list buckets: the API's answer has no list. Check ${context.api.advice.address}`);
  return list.map(({ id }) => id);
}

/** A list has no argument that could be wrong: what refuses it, and not the key, is that there is no object storage. */
function notEnabled(error: unknown): never {
  if (!isRefusal(error)) throw error;
  throw advised(
    error,
    "If object storage is not enabled for the organization, enable it once, in the TensorPool dashboard or with the tp command, then run again: this package never does, because disabling it would take it from everybody",
  );
}

function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status === undefined) return false;
  return error.status >= 400 && error.status < 500 && ![401, 402, 403, 408, 429].includes(error.status);
}

function advised(error: ApiError, advice: string): ApiError {
  const { method, path, status, serverMessage, requestId, attempts, askAgainAtMs } = error;
  const facts = { method, path, status, serverMessage, requestId, attempts, askAgainAtMs };
  return new ApiError({ ...facts, advice, cause: error });
}

/**
 * Creates a bucket.
 * @param wasFree no list had the name before: what has it after a sending whose answer was lost is this call's own
 */
export async function createBucket(context: Context, name: string, wasFree: boolean): Promise<void> {
  const { bought } = registryOf(context.api);
  try {
    const { signal, mayBuy: beforeSending } = context;
    await context.api.call(routes.createBucket, { id: name, signal, beforeSending });
  } catch (error) {
    if (!wasFree || !(error instanceof ApiError) || bought.has(entry(name))) throw error;
    const mayHaveActed = error.attempts > 1 || error.status === undefined || error.status >= 500;
    // Whatever ends this look, what was lost is what the user must know of.
    const there = mayHaveActed && (await listBuckets(context).catch(() => undefined));
    if (!there || !there.includes(name)) throw error;
  }
  bought.add(entry(name));
}

/** @throws ApiError that says what to do when the bucket is not empty */
export async function deleteBucket(context: Context, name: string): Promise<"destroyed" | "not found"> {
  try {
    await context.api.call(routes.deleteBucket, { id: name, signal: context.signal });
  } catch (error) {
    if (isMissing(error)) return error instanceof ApiError && error.attempts > 1 ? "destroyed" : "not found";
    if (!isRefusal(error)) throw error;
    const advice = `Only an empty bucket can be deleted, and this package deletes no objects: empty "${name}" with an S3 client, then run again`;
    throw advised(error, advice);
  }
  registryOf(context.api).bought.delete(entry(name));
  return "destroyed";
}
