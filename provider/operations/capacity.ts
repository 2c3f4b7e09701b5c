import type { Context } from "../context.ts";
import { ApiError, InitError, NoCapacityError, StoppedError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { capacityTimeoutSeconds, noCapacityIn } from "./capacity-words.ts";
import { destroy } from "./destroy.ts";
import type { ObjectKind } from "./kind.ts";
import { seen } from "./look.ts";
import { objectIdOf, type Tracked } from "./state.ts";

/** Pauses between two tries to create what the API has no capacity for: politely long, and growing. */
const PAUSE_MS = { shortest: 30_000, growth: 1.5, longest: 120_000 } as const;

/** The error of a create that came to nothing for want of capacity. */
export function noCapacity(
  { resource, api }: Context,
  kind: ObjectKind,
  inputs: Fields,
  words: string,
  cause: unknown,
  advice: string = api.advice.again("create", `again later${waitsFor(kind)}`),
): NoCapacityError {
  return new NoCapacityError(`${kind.noun} "${text(inputs, "name") ?? resource}"`, words, advice, cause);
}

function waitsFor({ fields }: ObjectKind): string {
  return "capacityTimeout" in fields ? `. With capacityTimeout, such as "2h", it waits for capacity` : "";
}

/**
 * Tries to create until the API has capacity, for as long as `capacityTimeout` says. Each try looks before it buys, and
 * what a failed one has left is destroyed before the next: there are never two.
 * @throws NoCapacityError when there is none until then, or the wait is stopped
 */
export async function whenCapacity(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  attempt: () => Promise<Tracked>,
): Promise<Tracked> {
  const { api, clock, signal } = context;
  const sinceMs = clock.now();
  const untilMs = sinceMs + capacityTimeoutSeconds(inputs) * 1_000;
  const until = new Date(untilMs).toISOString();
  let latest: NoCapacityError | undefined;
  const ended = (error: unknown): unknown => {
    if (latest === undefined || !(error instanceof StoppedError)) return error;
    const why = error.why === "cancelled" ? "The wait for it was cancelled" : "The create's time limit has passed";
    const advice = `${why}. ${api.advice.again("create", "to go on waiting for capacity")}`;
    return noCapacity(context, kind, inputs, latest.serverMessage, error, advice);
  };
  for (let tries = 1; ; tries += 1) {
    const times = tries === 1 ? "once" : `${tries} times`;
    const outcome = await attempt().catch(async (error: unknown) => {
      // A look that failed has sent nothing, and is no reason to give up a long wait.
      if (latest !== undefined && isUnanswered(error)) return latest;
      const lack = await lackIn(context, kind, inputs, error, untilMs > sinceMs);
      if (lack === undefined) throw ended(error);
      return lack;
    });
    if (!(outcome instanceof NoCapacityError)) return outcome;
    const nextMs = nextTryMs(tries, outcome.askAgainAtMs ?? 0, clock.now(), untilMs);
    if (nextMs === undefined) {
      if (untilMs === sinceMs) throw outcome;
      const minutes = Math.round((clock.now() - sinceMs) / 60_000);
      const again = api.advice.again("create", "to go on trying, or ask for something else");
      const advice = `It was tried ${times} in ${minutes} min. ${again}`;
      throw noCapacity(context, kind, inputs, outcome.serverMessage, outcome, advice);
    }
    if (latest === undefined) {
      context.say("info", `the API has no capacity (${outcome.serverMessage}): trying again until ${until}`);
    }
    latest = outcome;
    context.report({ status: `no capacity, tried ${times}, trying until ${until}`, nextAtMs: nextMs });
    await clock.sleep(nextMs - clock.now(), signal).catch((error: unknown) => {
      throw ended(error);
    });
  }
}

/** Whether the look before the create had no usable answer; what is sent after it ends otherwise. */
function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.method === "GET" && (error.status ?? 500) >= 500;
}

/** When the next try is due, if it may still be made. The last one comes when the time is up. */
function nextTryMs(tries: number, askAgainAtMs: number, nowMs: number, untilMs: number): number | undefined {
  const { shortest, growth, longest } = PAUSE_MS;
  const earliestMs = Math.max(nowMs + shortest, askAgainAtMs);
  const pauseMs = Math.min(shortest * growth ** (tries - 1), longest);
  return earliestMs > untilMs ? undefined : Math.max(earliestMs, Math.min(nowMs + pauseMs, untilMs));
}

/** The want of capacity in what a try has thrown, once nothing is left of the try. */
async function lackIn(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  error: unknown,
  mayDestroy: boolean,
): Promise<NoCapacityError | undefined> {
  if (error instanceof NoCapacityError) return error;
  if (!(error instanceof InitError) || !mayDestroy) return undefined;
  const words = noCapacityIn(error.cause);
  const id = objectIdOf(error.id, error.properties);
  if (words === undefined || id === undefined) return undefined;
  try {
    const live = (await seen(context, kind, id))?.live;
    if (live?.["status"] !== "FAILED") return undefined;
    await destroy(context, kind, id, error.properties);
    context.say("info", `destroyed ${kind.noun} ${id}, which a create without capacity had left`);
    return noCapacity(context, kind, inputs, words, error);
  } catch {
    // As it could not be destroyed (it may be protected), the state must hold it: the next run replaces it.
    return undefined;
  }
}
