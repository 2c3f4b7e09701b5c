import { isDeepStrictEqual } from "node:util";
import type { Api, CallOptions } from "../api/client.ts";
import { hourlyUsd } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { ApiError, StoppedError } from "../errors.ts";
import { type Fields, number, text } from "../json.ts";
import { startLimit } from "../wait/limit.ts";
import { isTakeOver } from "./check.ts";
import { BEYOND_REPAIR } from "./diff.ts";
import type { ObjectKind } from "./kind.ts";
import { abortable } from "./look.ts";
import type { Tracked } from "./state.ts";

/**
 * For how long, in milliseconds, and how often the API is asked. A price that only informs is worth no long wait. One that a
 * limit depends on is worth the wait for a rate limit, which the create would have to wait for as well.
 */
const PATIENCE = {
  informs: { limitMs: 5_000, mostAttempts: 2 },
  limits: { limitMs: 600_000, mostAttempts: 3 },
} as const;
/** What one was told, or was not, serves all who ask the same within this time, in milliseconds. */
const SERVES_MS = 60_000;

/** What a kind of object has to be known by to have a price. */
export type Priced = Pick<ObjectKind, "noun" | "quoteQuery"> & { readonly routes: Pick<ObjectKind["routes"], "quote"> };

interface Answer {
  readonly price: Promise<number>;
  /** When it came; in the far future until then. */
  atMs: number;
}
const answers = new WeakMap<Api, Map<string, Answer>>();
const warned = new WeakSet<Api>();

/**
 * What an object with these arguments costs, in US dollars an hour.
 * @throws Error when the API does not tell
 */
export async function quote(
  api: Api,
  { noun, routes, quoteQuery }: Priced,
  args: Fields,
  options: Pick<CallOptions, "signal" | "mostAttempts"> = {},
): Promise<number> {
  const query = quoteQuery(args);
  if (query === undefined) throw new Error(`Cannot get a quote for a ${noun}: its arguments are not all known`);
  const price = hourlyUsd((await api.call(routes.quote, { ...options, query })).body);
  if (price !== undefined) return price;
  throw new Error(`Cannot get a quote: the answer of ${routes.quote.path} has no hourly_rate in US dollars`);
}

/** To a millionth of a dollar: what a sum has behind that, no price has asked for. */
export function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

/** Whether a price is above a limit. A sum of prices has a last digit that nobody has asked for. */
export function isAbove(price: number, most: number): boolean {
  return price - most > 1e-9;
}

/** In few words: what else an error of the API advises is of no use here. */
export function whyNoQuote(error: unknown): string {
  if (error instanceof StoppedError) return "the API gives no quote in time";
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const { status } = error;
  return `the API gives no quote (${status === undefined ? "it does not answer" : `it answers ${status}`})`;
}

/** The same, asked once for all who ask it at about the same time, and only for as long as the purpose is worth it. */
async function sharedQuote(
  { api, clock, signal }: Context,
  kind: Priced,
  args: Fields,
  purpose: keyof typeof PATIENCE,
): Promise<number> {
  const ofApi = answers.get(api) ?? new Map<string, Answer>();
  answers.set(api, ofApi);
  const question = JSON.stringify([kind.noun, kind.quoteQuery(args), purpose]);
  const known = ofApi.get(question);
  if (known !== undefined && clock.now() - known.atMs < SERVES_MS) return abortable(known.price, signal);
  const { limitMs, mostAttempts } = PATIENCE[purpose];
  const limit = startLimit(clock, limitMs);
  const price = quote(api, kind, args, { signal: limit.signal, mostAttempts }).finally(() => {
    limit.end();
    answer.atMs = clock.now();
  });
  const answer: Answer = { price, atMs: Number.POSITIVE_INFINITY };
  ofApi.set(question, answer);
  return abortable(price, signal);
}

/**
 * The inputs with their price, where the API tells it.
 * @param verb what is about to be done, such as `create`
 * @throws Error when it is above `maxHourlyUsd`; nothing was sent
 */
export async function withPrice(context: Context, kind: ObjectKind, inputs: Fields, verb = "create"): Promise<Fields> {
  const most = number(inputs, "maxHourlyUsd");
  const price = await priceOf(context, kind, inputs, most);
  if (price === undefined || most === undefined || !isAbove(price, most)) return { ...inputs, hourlyUsd: price };
  throw new Error(
    `Cannot ${verb} ${kind.noun} "${text(inputs, "name") ?? context.resource}": it would cost ${rounded(price)} USD an hour, and its maxHourlyUsd is ${most}. Nothing was sent. Raise maxHourlyUsd, or ask for less`,
  );
}

/**
 * Asks what the create of a successor will ask, while the old object is still there. One that is beyond repair serves
 * nobody, and one that has its successor beside it already has been asked about.
 * @throws Error when its successor is above `maxHourlyUsd`; nothing was sent
 */
export async function affordable(context: Context, kind: ObjectKind, olds: Fields, successor: Fields): Promise<void> {
  const isWreck = BEYOND_REPAIR.includes(text(olds, "status") ?? "");
  const isAsked = number(successor, "maxHourlyUsd") !== undefined && !isTakeOver(successor);
  if (isAsked && !isWreck && successor["__side"] !== true) await withPrice(context, kind, successor, "replace");
}

/** What was taken over, with its price: it is billed already, so neither a limit nor Ctrl-C may lose it here. */
export async function priced(context: Context, kind: ObjectKind, { id, outputs }: Tracked): Promise<Tracked> {
  const price = await sharedQuote(context, kind, outputs, "informs").catch(() => undefined);
  return { id, outputs: { ...outputs, hourlyUsd: price } };
}

/**
 * The outputs of an object with the price that it has after a change.
 * @throws Error when that is above `maxHourlyUsd`; nothing was sent
 */
export async function repriced(context: Context, kind: ObjectKind, outputs: Fields, inputs: Fields): Promise<Fields> {
  const after = { ...outputs, ...inputs };
  if (isDeepStrictEqual(kind.quoteQuery(outputs), kind.quoteQuery(after))) return outputs;
  const { hourlyUsd: price } = await withPrice(context, kind, after, "change");
  return { ...outputs, hourlyUsd: price };
}

async function priceOf(
  context: Context,
  kind: ObjectKind,
  args: Fields,
  most: number | undefined,
): Promise<number | undefined> {
  const { api, signal } = context;
  context.report({ status: "asking for a quote" });
  try {
    return await sharedQuote(context, kind, args, most === undefined ? "informs" : "limits");
  } catch (error) {
    signal.throwIfAborted();
    if (most !== undefined && !warned.has(api)) {
      warned.add(api);
      context.say("warning", `maxHourlyUsd is not enforced: ${whyNoQuote(error)}`);
    }
    return undefined;
  }
}
