import * as pulumi from "@pulumi/pulumi";
import { question } from "../functions/ask.ts";
import { configOf, isKnown, valueOf } from "../functions/outputs.ts";
import { isAbove, whyNoQuote } from "../operations/quote.ts";
import type { Declarations, Declared, Wish } from "./declared.ts";
import type { CostEstimate, ResourceCost } from "./estimate-cost.ts";

const HOURS_A_MONTH = 730;
/** Whatever waits for a resource that has just been registered has declared its own by then. */
const QUIET_TURNS = 3;

const quotes = question("getQuote", (account, wish: Wish) => account.quote(wish));

/** What a resource costs, or why that is not known. */
interface Line extends ResourceCost {
  readonly resource: Declared["resource"];
  readonly why: string;
  /** Whether this is a preview, and its `up` would create, replace or grow it. */
  readonly isToBuy: boolean;
}

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

function linesOf({ all }: Declarations): Promise<Line[]> {
  return Promise.all(
    all.map(async (one) => {
      const { name, type, resource, bought } = one;
      const price = await priceOf(one);
      const isToBuy = pulumi.runtime.isDryRun() && !(await isKnown(bought()));
      const known = typeof price === "number" ? { hourlyUsd: price, why: "" } : { hourlyUsd: undefined, why: price };
      return { name, type, resource, isToBuy, ...known };
    }),
  );
}

const prices = new WeakMap<Declared, Promise<number | string>>();

/** The price of a resource, or why there is none. Asked for once. */
function priceOf(one: Declared): Promise<number | string> {
  const price = prices.get(one) ?? askPrice(one);
  prices.set(one, price);
  return price;
}

async function askPrice({ wish, account }: Declared): Promise<number | string> {
  try {
    const asked = wish();
    if (!(await isKnown(asked))) return "its arguments are not known yet";
    if (!(await isKnown(configOf(account)))) return "the settings of its Provider are not known yet";
    // Plain: an output that fails would end the program.
    const { hourlyUsd }: { hourlyUsd?: unknown } = await quotes.plain(await valueOf(asked, "estimateCost"), account);
    return typeof hourlyUsd === "number" ? hourlyUsd : "there is no quote";
  } catch (error) {
    return whyNoQuote(pulumi.RunError.isInstance(error) ? error.cause : error);
  }
}

function sum(lines: readonly Line[]): CostEstimate {
  const hourlyUsd = lines.reduce((total, line) => total + (line.hourlyUsd ?? 0), 0);
  return {
    hourlyUsd: rounded(hourlyUsd),
    monthlyUsd: rounded(hourlyUsd * HOURS_A_MONTH),
    isComplete: lines.every((line) => line.hourlyUsd !== undefined),
    breakdown: lines.map(({ name, type, hourlyUsd: one }) => ({ name, type, hourlyUsd: one })),
  };
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

/** To a millionth of a dollar: what a sum has behind that, no price has asked for. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
