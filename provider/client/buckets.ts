import { createBucket, deleteBucket, listBuckets } from "../operations/bucket-calls.ts";
import type { Destroyed } from "./objects.ts";
import { type CallOptions, type Core, run } from "./run.ts";

/** Buckets of the organization's object storage, which must be enabled. */
export interface Buckets {
  /** Their names. */
  list(options?: CallOptions): Promise<string[]>;
  /** @throws ApiError 409 when there is one of this name already */
  create(name: string, options?: CallOptions): Promise<void>;
  /** Deletes an empty bucket; one that is not empty is refused. */
  delete(name: string, options?: CallOptions): Promise<Destroyed>;
}

export function bucketCalls(core: Core): Buckets {
  return {
    list: (options = {}) => run(core, "list buckets", options, listBuckets),
    create: (name, options = {}) =>
      run(core, `create bucket "${name}"`, options, async (context) => {
        const there = await listBuckets(context);
        await createBucket(context, name, !there.includes(name));
      }),
    delete: (name, options = {}) =>
      run(core, `delete bucket "${name}"`, options, (context) => deleteBucket(context, name)),
  };
}
