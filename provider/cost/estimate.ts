import * as pulumi from "@pulumi/pulumi";
import { isKnown, valueOf } from "../functions/outputs.ts";
import { isAbove } from "../operations/quote.ts";
import type { Declarations, Declared } from "./declared.ts";
import type { CostEstimate } from "./estimate-cost.ts";
import { type Line, linesOf, sum } from "./lines.ts";

/** Whatever waits for a resource that has just been registered has declared its own by then. */
const QUIET_TURNS = 3;

export async function estimate(run: Declarations): Promise<CostEstimate> {
  await quiet(run);
  return sum(await linesOf(run));
}

/**
 * Logs the total when the program has ended, and again should there be more to tell later still.
 * @param ended settles when the program's own code has run to its end
 * @throws pulumi.RunError, which nobody catches, so that the program fails, when a preview would buy more and the total is
 * above the program's limit
 */
export async function tell(run: Declarations, ended: (() => Promise<unknown>) | undefined): Promise<void> {
  await ended?.().catch(() => undefined);
  await quiet(run);
  const count = run.all.length;
  const lines = await linesOf(run);
  const { hourlyUsd, monthlyUsd, isComplete } = sum(lines);
  const total = `${usd(hourlyUsd)} USD an hour, ${usd(monthlyUsd)} USD a month`;
  for (const { name, resource, hourlyUsd: one, why, isToBuy } of lines) {
    const price = one === undefined ? `no price, because ${why}` : `${usd(one)} USD an hour`;
    await pulumi.log.debug(`Estimated cost of ${name}: ${price}`, resource);
    const own = isToBuy ? await ownLimit(resource) : undefined;
    if (one !== undefined && own !== undefined && isAbove(one, own)) {
      await pulumi.log.warn(
        `up will refuse to buy this: it would cost ${price}, and its maxHourlyUsd is ${own}`,
        resource,
      );
    }
  }
  // A limit that part of the total is not held against is worth a warning.
  const isUnchecked = !isComplete && run.mostHourlyUsd !== Number.POSITIVE_INFINITY;
  await pulumi.log[isUnchecked ? "warn" : "info"](`Estimated cost: ${total} ${counted(lines)}`);
  const again = (): void => {
    run.onMore = () => undefined;
    const done = pulumi.runtime.rpcKeepAlive();
    void tell(run, undefined).finally(done);
  };
  if (run.all.length > count) again();
  else run.onMore = again;
  const { mostHourlyUsd: most } = run;
  if (isAbove(hourlyUsd, most)) await refuse(lines, `the program's resources cost ${total}`, most);
}

/** The limit that a resource's own create will hold against its price, as far as it is known. */
async function ownLimit({ maxHourlyUsd, adopt }: Declared["resource"]): Promise<number | undefined> {
  const both = pulumi.output({ maxHourlyUsd, adopt });
  if (!(await isKnown(both))) return undefined;
  const { maxHourlyUsd: most, adopt: taken } = await valueOf(both, "estimateCost");
  return (taken ?? undefined) === undefined ? (most ?? undefined) : undefined;
}

/** A limit stands in the way of what is yet to be bought, and never of what ends a bill: of a destroy least of all. */
async function refuse(lines: readonly Line[], cost: string, most: number): Promise<void> {
  if (!lines.some(({ isToBuy }) => isToBuy)) {
    return pulumi.log.warn(
      `maxHourlyUsd ${most} of estimateCost is exceeded: ${cost}. What of it exists is billed: take out of the program what is too much, or raise the limit`,
    );
  }
  const error = new pulumi.RunError(
    `Cannot stay within maxHourlyUsd ${most}: ${cost}. Ask for less, or raise the maxHourlyUsd of estimateCost`,
  );
  // Once the program has ended, Pulumi prints it beside the message.
  error.stack = "";
  throw error;
}

/** Resolves when all that is declared is registered, and nothing more comes. */
async function quiet({ all }: Declarations): Promise<void> {
  let count: number;
  do {
    count = all.length;
    await Promise.allSettled(all.map(({ resource }) => isKnown(resource.urn)));
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  } while (all.length !== count);
}

/** How many of the resources the total counts, and why not the others: each reason once. */
function counted(lines: readonly Line[]): string {
  const missing = Map.groupBy(
    lines.filter(({ hourlyUsd }) => hourlyUsd === undefined),
    ({ why }) => why,
  );
  if (missing.size === 0) return `(${lines.length} resource${lines.length === 1 ? "" : "s"})`;
  const known = lines.filter(({ hourlyUsd }) => hourlyUsd !== undefined).length;
  const reasons = [...missing].map(([why, of]) => `${of.map(({ name }) => name).join(", ")}: ${why}`);
  return `(${known} of ${lines.length} resources; not in it: ${reasons.join("; ")})`;
}

function usd(amount: number): string {
  return amount.toFixed(amount < 1 ? 4 : 2);
}
