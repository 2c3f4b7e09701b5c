import * as routes from "../api/routes.ts";
import { ApiError } from "../errors.ts";
import { type Fields, isFields, text } from "../json.ts";
import { isMissing } from "../operations/look.ts";
import type { Destroyed } from "./objects.ts";
import { type CallOptions, type Core, run } from "./run.ts";

/** Buckets of the organization's object storage, which must be enabled. */
export interface Buckets {
  /** Their names. */
  list(options?: CallOptions): Promise<string[]>;
  create(name: string, options?: CallOptions): Promise<void>;
  /** Deletes an empty bucket; one that is not empty is refused. */
  delete(name: string, options?: CallOptions): Promise<Destroyed>;
}

export function bucketCalls(core: Core): Buckets {
  return {
    list: (options = {}) =>
      run(core, "list buckets", options, async ({ api, signal }) =>
        namesIn((await api.call(routes.listBuckets, { signal })).body),
      ),
    create: (name, options = {}) =>
      run(core, `create bucket "${name}"`, options, async ({ api, signal }) => {
        try {
          await api.call(routes.createBucket, { id: name, signal });
        } catch (error) {
          // Refused as a repetition: the one before, whose answer was lost, has made it.
          const isRepeated = error instanceof ApiError && error.status === 409 && error.attempts > 1;
          const isThere = isRepeated && namesIn((await api.call(routes.listBuckets, { signal })).body).includes(name);
          if (!isThere) throw error;
        }
      }),
    delete: (name, options = {}) =>
      run(core, `delete bucket "${name}"`, options, async ({ api, signal }) => {
        try {
          await api.call(routes.deleteBucket, { id: name, signal });
        } catch (error) {
          if (!isMissing(error)) throw error;
          return error instanceof ApiError && error.attempts > 1 ? "destroyed" : "not found";
        }
        return "destroyed";
      }),
  };
}

/** A list of names, or of records that have one: the API's documentation does not say which. */
function namesIn({ buckets }: Fields): string[] {
  if (!Array.isArray(buckets)) throw new Error("Cannot list buckets: the API's answer has no list");
  return buckets.flatMap((one) => (isFields(one) ? (text(one, "name") ?? []) : typeof one === "string" ? one : []));
}
