import * as routes from "../api/routes.ts";
import { number } from "../json.ts";
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

export function quoteCalls(core: Core): Quotes {
  function ask(route: routes.Route, query: Record<string, string>, options: CallOptions = {}): Promise<Quote> {
    return run(core, `get a quote from ${route.path}`, options, async ({ api, signal }) => {
      const { body } = await api.call(route, { query, signal });
      const hourlyUsd = number(body, "hourly_rate");
      if (hourlyUsd === undefined)
        throw new Error(`Cannot get a quote: the answer of ${route.path} has no hourly_rate`);
      return { hourlyUsd };
    });
  }
  return {
    cluster: ({ instanceType, numNodes = 1 }, options) =>
      ask(routes.clusterQuote, { instance_type: instanceType, num_nodes: String(numNodes) }, options),
    storage: ({ sizeGb }, options) => ask(routes.volumeQuote, { size_gb: String(sizeGb) }, options),
  };
}
