import * as pulumi from "@pulumi/pulumi";
import { question } from "../functions/ask.ts";
import { configOf, isKnown, valueOf } from "../functions/outputs.ts";
import { whyNoQuote } from "../operations/quote.ts";
import type { Declarations, Declared, Wish } from "./declared.ts";
import type { CostEstimate, ResourceCost } from "./estimate-cost.ts";

const HOURS_A_MONTH = 730;
/** Whatever waits for a resource that has just been registered has declared its own by then. */
const QUIET_TURNS = 3;

const quotes = question("getQuote", (account, wish: Wish) => account.quote(wish));

/** What a resource costs, or why that is not known. */
interface Line extends ResourceCost {
  readonly why: string;
}

export async function estimate(run: Declarations): Promise<CostEstimate> {
  await quiet(run);
  return sum(await linesOf(run));
}

/**
 * Logs the total when the program has ended, and again should a resource be declared later still.
 * @param ended settles when the program's own code has run to its end
 * @throws pulumi.RunError, which nobody catches, so that the program fails, when the total is above `maxHourlyUsd`
 */
export async function tell(
  run: Declarations,
  ended: (() => Promise<unknown>) | undefined,
  maxHourlyUsd: number | undefined,
): Promise<void> {
  await ended?.().catch(() => undefined);
  await quiet(run);
  const lines = await linesOf(run);
  const { hourlyUsd, monthlyUsd } = sum(lines);
  const total = `${usd(hourlyUsd)} USD an hour, ${usd(monthlyUsd)} USD a month`;
  for (const [index, { name, hourlyUsd: one, why }] of lines.entries()) {
    const price = one === undefined ? `no price, because ${why}` : `${usd(one)} USD an hour`;
    await pulumi.log.debug(`Estimated cost of ${name}: ${price}`, run.all[index]?.resource);
  }
  await pulumi.log.info(`Estimated cost: ${total} ${counted(lines)}`);
  const again = (): void => {
    run.onMore = () => undefined;
    const done = pulumi.runtime.rpcKeepAlive();
    void tell(run, undefined, maxHourlyUsd).finally(done);
  };
  if (run.all.length > lines.length) again();
  else run.onMore = again;
  if (maxHourlyUsd !== undefined && hourlyUsd > maxHourlyUsd) {
    throw new pulumi.RunError(
      `Cannot stay within maxHourlyUsd ${maxHourlyUsd}: the program's resources cost ${total}. Ask for less, or raise the maxHourlyUsd of estimateCost`,
    );
  }
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
      const { name, type } = one;
      const price = await priceOf(one);
      return typeof price === "number"
        ? { name, type, hourlyUsd: price, why: "" }
        : { name, type, hourlyUsd: undefined, why: price };
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
    hourlyUsd,
    monthlyUsd: hourlyUsd * HOURS_A_MONTH,
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
