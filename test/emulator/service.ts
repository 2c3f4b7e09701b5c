import { type Answer, parseBody, Refusal, refusal } from "./answer.ts";
import { createFaults, type Faults, plain } from "./faults.ts";
import { createJournal, type Journal } from "./ledger.ts";
import { settle } from "./operations.ts";
import type { Caller, Settings } from "./options.ts";
import { createIds, seededRandom } from "./random.ts";
import { createRateLimit } from "./rate-limit.ts";
import { retryAfter, waitUntilMs } from "./retry-after.ts";
import { OPEN_ROUTES } from "./routes/account.ts";
import { allRoutes, isMissing } from "./routes/all.ts";
import { REQUEST_INFO } from "./routes/requests.ts";
import { type Call, type Match, match, type Routes } from "./table.ts";
import { answerInstead, reduced, requestIdsIn, spoiled } from "./trouble.ts";
import { createWorld, serverDate, type World } from "./world.ts";

export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: Call["headers"];
  /** Aborted when this server closes. */
  readonly signal: AbortSignal;
  readBody(): Promise<string>;
}

/** What goes out; "lost" and "reset" are an end of the connection without an answer. */
export type Outcome = Answer | "lost" | "reset";

/** One API with its state, faults and journal; knows nothing of sockets. */
export interface Service {
  readonly world: World;
  readonly faults: Faults;
  readonly routes: Routes;
  readonly journal: Journal;
  respond(incoming: Incoming): Promise<Outcome>;
}

export function createService(settings: Settings, url: string, ids: World["ids"] = newIds(settings)): Service {
  // Faults draw from numbers of their own: what a request makes does not change which fault comes next.
  const faults = createFaults(seededRandom(settings.seed + 1), settings.clock);
  const random = seededRandom(settings.seed + 2);
  const world = createWorld({ settings, ids, random, faults, url });
  const routes = allRoutes(world);
  const journal = createJournal();
  const secondsUntilToken = createRateLimit(settings);

  /** What happens to a request before and while its route acts. */
  function act(incoming: Incoming, found: Match | undefined, text: string): { outcome: Outcome; slowSeconds: number } {
    const prompt = (outcome: Outcome) => ({ outcome, slowSeconds: 0 });
    const overLimitSeconds = secondsUntilToken();
    if (overLimitSeconds !== undefined) return prompt(tooMany(settings, overLimitSeconds));
    if (found === undefined) {
      return prompt({ status: 404, body: { message: `No such route: ${incoming.method} ${incoming.url.pathname}` } });
    }
    const caller = callerOf(settings, incoming, found.route);
    if (caller === undefined)
      return prompt({ status: 401, body: { error: "Invalid or missing authentication token" } });
    const fault = faults.ofAnswer(found.route);
    if (fault?.kind === "reset") return prompt("reset");
    const instead = answerInstead(fault);
    if (instead) return prompt(instead);
    const { id, route, handler } = found;
    const { headers, url } = incoming;
    settle(world);
    const answer = answerOf(() =>
      handler({ route, id, query: url.searchParams, body: parseBody(text), headers, caller }),
    );
    const accepted = answer.status === 202 ? "accepted" : route === REQUEST_INFO ? "request-info" : undefined;
    const minimal = settings.minimalSpec && answer.status < 300 ? accepted : undefined;
    const outcome = spoiled(fault, reduced(answer, minimal, settings.omit));
    return { outcome, slowSeconds: fault?.kind === "slow" ? (fault.seconds ?? 5) : 0 };
  }

  return {
    world,
    faults,
    routes,
    journal,
    async respond(incoming) {
      const { method, url } = incoming;
      const found = match(routes, method, url.pathname);
      const known = found && !isMissing(settings, found.route) ? found : undefined;
      const pollOf = known?.route === REQUEST_INFO ? known.id : undefined;
      const answered = journal.arrived({ method, path: url.pathname, atMs: settings.clock.now(), pollOf });
      const { outcome, slowSeconds } = act(incoming, known, await incoming.readBody());
      if (slowSeconds > 0) await settings.clock.sleep(slowSeconds * 1_000, incoming.signal);
      if (outcome === "lost" || outcome === "reset") return outcome;
      const answer = dressed(world, outcome);
      const requestIds = answer.status === 202 ? requestIdsIn(answer.body) : [];
      const header = answer.headers?.["retry-after"];
      const atMs = settings.clock.now();
      answered({ status: answer.status, atMs, waitUntilMs: waitUntilMs(settings, header), requestIds });
      return answer;
    },
  };
}

/** @throws RangeError when it names a route that does not exist, because it would never strike */
export function addFault({ faults, routes }: Service, fault: Parameters<Faults["add"]>[0]): void {
  const { on } = fault;
  if (on !== undefined && !Object.keys(routes).some((route) => plain(route) === plain(on))) {
    throw new RangeError(`Cannot add fault "${fault.kind}": there is no route "${on}"`);
  }
  faults.add(fault);
}

export function newIds({ seed }: Settings): World["ids"] {
  return createIds(seededRandom(seed));
}

function callerOf({ callers }: Settings, { headers }: Incoming, route: string): Caller | undefined {
  if (OPEN_ROUTES.includes(route)) return { account: "", owner: "personal" };
  const [, key = ""] = /^Bearer (.+)$/.exec(String(headers["authorization"] ?? "")) ?? [];
  return callers.get(key);
}

function answerOf(act: () => Answer): Answer {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function tooMany(settings: Settings, seconds: number): Answer {
  const { answer } = refusal(429, "Rate limit exceeded");
  return { ...answer, headers: { "retry-after": retryAfter(settings, seconds) } };
}

/** The answer with the headers of the moment it leaves: after a slow one, the wait begins then. */
function dressed(world: World, answer: Answer): Answer {
  const { settings } = world;
  const seconds = answer.status === 202 || answer.goesOn === true ? settings.retryAfterSeconds : null;
  const wait = seconds === null ? {} : { "retry-after": retryAfter(settings, seconds) };
  return { ...answer, headers: { date: serverDate(world).toUTCString(), ...wait, ...answer.headers } };
}
