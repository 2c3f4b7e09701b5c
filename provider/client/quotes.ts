import { clusterKind } from "../operations/cluster.ts";
import { type Priced, quote } from "../operations/quote.ts";
import { storageVolumeKind } from "../operations/storage-volume.ts";
import { type CallOptions, type Core, run } from "./run.ts";

/** What something would cost. */
export interface Quote {
  /** US dollars an hour. */
  readonly hourlyUsd: number;
}

/** Prices by the hour, asked of the API. Nothing is bought. */
export interface Quotes {
  /** Of all nodes together; `numNodes` is 1 by default. */
  cluster(wish: { readonly instanceType: string; readonly numNodes?: number }, options?: CallOptions): Promise<Quote>;
  /** Of a volume of this size. */
  storage(wish: { readonly sizeGb: number }, options?: CallOptions): Promise<Quote>;
}

/** @param mostAttempts how often a server that does not answer is asked. @default as often as any other call */
export function quoteCalls(core: Core, mostAttempts?: number): Quotes {
  const ask = (kind: Priced, wish: object, options: CallOptions = {}): Promise<Quote> =>
    run(core, `get a quote for a ${kind.noun}`, options, async ({ api, signal }) => ({
      hourlyUsd: await quote(api, kind, { ...wish }, { signal, ...(mostAttempts && { mostAttempts }) }),
    }));
  return {
    cluster: (wish, options) => ask(clusterKind, wish, options),
    storage: (wish, options) => ask(storageVolumeKind, wish, options),
  };
}
