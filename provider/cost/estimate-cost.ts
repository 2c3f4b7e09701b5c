import * as pulumi from "@pulumi/pulumi";
import { isKnown } from "../functions/outputs.ts";
import { declarations } from "./declared.ts";

/** What `estimateCost` takes. */
export interface EstimateCostOptions {
  /**
   * Most US dollars an hour that all resources together may cost: a preview of what would buy more fails. What exists is
   * billed already: where that is above, or an `up` without preview has bought it, a warning says so. @default no limit
   */
  readonly maxHourlyUsd?: number;
}

/** What one resource costs. */
export interface ResourceCost {
  readonly name: string;
  readonly type: "Cluster" | "StorageVolume";
  /** US dollars an hour; `undefined` when its arguments are not known yet, or the API gives no quote. */
  readonly hourlyUsd: number | undefined;
}

/** What all clusters and storage volumes of the program cost together, as far as it is known. */
export interface CostEstimate {
  /** US dollars an hour. */
  readonly hourlyUsd: number;
  /** US dollars in 730 hours. */
  readonly monthlyUsd: number;
  /** Whether the price of every resource is in the total. */
  readonly isComplete: boolean;
  /** One for each resource. */
  readonly breakdown: readonly ResourceCost[];
}

/**
 * Adds up what the clusters and storage volumes of the program cost, by the API's quotes: those that are yet to be created
 * and those that exist. The total is logged when the program has ended, in previews and in up. Quotes that are not to be
 * had hold nothing up; the line says what is missing.
 * @returns the total of all that is declared when the API has been asked: call it last
 * @throws RangeError when `maxHourlyUsd` is no number above 0
 */
export function estimateCost({ maxHourlyUsd }: EstimateCostOptions = {}): pulumi.Output<CostEstimate> {
  if (maxHourlyUsd !== undefined && !(Number.isFinite(maxHourlyUsd) && maxHourlyUsd > 0)) {
    throw new RangeError(
      `Cannot use maxHourlyUsd ${maxHourlyUsd}: expected a number of US dollars an hour, more than 0, such as 30`,
    );
  }
  const run = declarations();
  run.mostHourlyUsd = Math.min(run.mostHourlyUsd, maxHourlyUsd ?? run.mostHourlyUsd);
  const loaded = import("./estimate.ts");
  if (run.isTold) run.onMore();
  else {
    run.isTold = true;
    const program = pulumi.runtime.getStackResource();
    const done = pulumi.runtime.rpcKeepAlive();
    void loaded.then(({ tell }) => tell(run, program && (() => isKnown(program.outputs)))).finally(done);
  }
  return pulumi.output(loaded.then(({ estimate }) => estimate(run)));
}
