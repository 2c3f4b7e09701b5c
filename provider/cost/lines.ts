import * as pulumi from "@pulumi/pulumi";
import { question } from "../functions/ask.ts";
import { configOf, isKnown, valueOf } from "../functions/outputs.ts";
import { rounded, whyNoQuote } from "../operations/quote.ts";
import type { Declarations, Declared, Wish } from "./declared.ts";
import type { CostEstimate, ResourceCost } from "./estimate-cost.ts";

const HOURS_A_MONTH = 730;

const quotes = question("getQuote", (account, wish: Wish) => account.quote(wish));

/** What a resource costs, or why that is not known. */
export interface Line extends ResourceCost {
  readonly resource: Declared["resource"];
  readonly why: string;
  /** Whether this is a preview, and its `up` would create, replace or grow it. */
  readonly isToBuy: boolean;
}

export function linesOf({ all }: Declarations): Promise<Line[]> {
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

export function sum(lines: readonly Line[]): CostEstimate {
  const hourlyUsd = lines.reduce((total, line) => total + (line.hourlyUsd ?? 0), 0);
  return {
    hourlyUsd: rounded(hourlyUsd),
    monthlyUsd: rounded(hourlyUsd * HOURS_A_MONTH),
    isComplete: lines.every((line) => line.hourlyUsd !== undefined),
    breakdown: lines.map(({ name, type, hourlyUsd: one }) => ({ name, type, hourlyUsd: one })),
  };
}
