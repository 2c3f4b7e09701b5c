import type { Advice } from "../advice.ts";
import { AnswerLostError } from "../errors.ts";
import { type Fields, parseFields, text } from "../json.ts";
import { VERSION } from "../version.ts";
import type { Clock } from "../wait/clock.ts";
import { backoffMs, LONGEST_AFTER_REFUSAL_MS, LONGEST_RETRY_AFTER_MS, retryAfterMs } from "../wait/retry-after.ts";
import type { Scheduler } from "../wait/scheduler.ts";
import { apiError, type Failure, failureOf, mayHaveActed, mayRepeat, serverWords } from "./failure.ts";
import type { Route } from "./routes.ts";
import type { Transport } from "./transport.ts";

export interface CallOptions {
  /** The id in the path. */
  id?: string;
  query?: Readonly<Record<string, string>>;
  body?: Fields;
  /** Not to be sent before this time, in milliseconds since the epoch. @default at once */
  notBeforeMs?: number;
  /** Awaited right before each sending, with the turn at hand; what it throws ends the call with nothing sent. */
  beforeSending?: () => Promise<void>;
  /** How often a call that may be repeated is sent before it fails; a 429 does not count. @default 5 */
  mostAttempts?: number;
  /** Ends waiting and reading. A call that changes something is always finished once it is sent. */
  signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly body: Fields;
  /** The moment before which the server asks not to be asked again, in milliseconds since the epoch. */
  readonly askAgainAtMs: number | undefined;
}

/** The one way to the API: everything this package sends goes through `call`. */
export interface Api {
  readonly baseUrl: string;
  /** What to do next, for its own errors and for those of whoever uses it. */
  readonly advice: Advice;
  /** Grows whenever a call that changes something is sent, and when it ends: what was read before may be out of date. */
  readonly changes: number;
  /** Before this time the server wants no request at all, in milliseconds since the epoch. */
  readonly pausedUntilMs: number;
  /**
   * Sends one call when the scheduler gives it a turn, with the key, and parses the answer.
   * @throws ApiError when the API refuses, cannot be reached, or gives no usable answer
   * @throws AnswerLostError when a call that buys was sent and its answer was lost
   */
  call(route: Route, options?: CallOptions): Promise<Answer>;
}

export interface ApiOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  key: string;
  transport: Transport;
  scheduler: Scheduler;
  clock: Clock;
  advice: Advice;
}

/** Own limit of each request: also a mutating one, which no Ctrl-C interrupts, comes to an end. */
const REQUEST_LIMIT_MS = 30_000;
const LONGEST_BACKOFF_MS = 8_000;
/** Of the server's words, in characters: a page of HTML says no more than its beginning. */
const LONGEST_WORDS = 500;

export function createApi({ baseUrl, key, transport, scheduler, clock, advice }: ApiOptions): Api {
  let changes = 0;

  async function send(route: Route, path: string, options: CallOptions): Promise<Answer | Failure> {
    if (route.effect !== "reads") changes += 1;
    const stop = route.effect === "reads" ? options.signal : undefined;
    const limit = new AbortController();
    const ended = new AbortController();
    const { limitMs = REQUEST_LIMIT_MS } = route;
    clock.sleep(limitMs, ended.signal).then(
      () => limit.abort(new Error(`no answer within ${limitMs / 1000} s`)),
      () => undefined,
    );
    const signal = stop === undefined ? limit.signal : AbortSignal.any([limit.signal, stop]);
    const query = options.query ? `?${new URLSearchParams(options.query).toString()}` : "";
    let askAgainAtMs: number | undefined;
    try {
      const response = await transport({
        method: route.method,
        url: `${baseUrl}${path}${query}`,
        route: route.path,
        headers: {
          authorization: `Bearer ${key}`,
          accept: "application/json",
          "user-agent": `pulumi-tensorpool/${VERSION}`,
          ...(options.body && { "content-type": "application/json" }),
        },
        body: options.body ? JSON.stringify(options.body) : null,
        signal,
      });
      const nowMs = clock.now();
      const { status } = response;
      const isRefusal = route.effect === "buys" && status >= 400 && status < 500 && status !== 429;
      const longestMs = isRefusal ? LONGEST_AFTER_REFUSAL_MS : LONGEST_RETRY_AFTER_MS;
      const waitMs = retryAfterMs(response.header("retry-after"), response.header("date"), nowMs, longestMs);
      // Holds also when the rest of the answer is of no use.
      if (waitMs !== undefined) askAgainAtMs = nowMs + waitMs;
      if (response.body instanceof Error) throw response.body;
      const body = parseFields(response.body);
      if (status >= 200 && status < 300) {
        // A deletion may answer without a body, and an edit has nothing to say; any other success has a JSON object.
        const needsBody = route.effect !== "settles" || response.body.trim() !== "";
        if (body !== undefined || !needsBody) return { status, body: body ?? {}, askAgainAtMs };
        return { kind: "lost", status: 0, words: `the answer with status ${status} is no JSON object`, askAgainAtMs };
      }
      const words = serverWords(body, response.body).replaceAll(key, "(API key)").slice(0, LONGEST_WORDS);
      return { kind: "answered", status, words, requestId: body && text(body, "request_id"), askAgainAtMs };
    } catch (error) {
      stop?.throwIfAborted();
      return { ...failureOf(error), askAgainAtMs };
    } finally {
      if (route.effect !== "reads") changes += 1;
      ended.abort();
    }
  }

  return {
    baseUrl,
    advice,
    get changes() {
      return changes;
    },
    get pausedUntilMs() {
      return scheduler.pausedUntilMs;
    },
    async call(route, options = {}) {
      const { mostAttempts = 5, signal } = options;
      const path = pathOf(route, options.id);
      let notBeforeMs = options.notBeforeMs;
      let unsure: Error | undefined;
      for (let attempt = 1, failures = 1; ; attempt += 1) {
        const turn = await scheduler.turn({ order: route.order, notBeforeMs, signal }).catch((stopped: unknown) => {
          // Stopped after a change whose answer was lost: that it may have taken effect must be known.
          throw unsure ?? stopped;
        });
        try {
          if (options.beforeSending !== undefined) {
            await options.beforeSending();
            signal?.throwIfAborted();
          }
          // Since the turn was given the server may have asked all to be quiet.
          if (scheduler.isPaused()) continue;
          const outcome = await send(route, path, options);
          if (!("kind" in outcome)) return outcome;
          const isRateLimit = outcome.kind === "answered" && outcome.status === 429;
          const pauseMs = Math.max(0, (outcome.askAgainAtMs ?? 0) - clock.now());
          if (isRateLimit) scheduler.pause(pauseMs || backoffMs(attempt, LONGEST_BACKOFF_MS));
          else if (!mayRepeat(route.effect, outcome) || failures >= mostAttempts) {
            if (route.effect === "buys" && mayHaveActed(outcome)) {
              throw new AnswerLostError(route.method, path, outcome.words, advice.answerLost);
            }
            throw apiError(route, path, outcome, attempt, advice);
          } else {
            notBeforeMs = clock.now() + (pauseMs || backoffMs(failures, LONGEST_BACKOFF_MS));
            failures += 1;
            if (route.effect !== "reads" && mayHaveActed(outcome))
              unsure = apiError(route, path, outcome, attempt, advice);
          }
        } finally {
          turn.done();
        }
      }
    },
  };
}

/** @throws TypeError for an id that would lead to another endpoint than the route's */
function pathOf({ path }: Route, id = ""): string {
  if (path.includes("{}") && /^\.*$/.test(id)) throw new TypeError(`Cannot call ${path}: "${id}" is no id`);
  return path.replace("{}", () => encodeURIComponent(id));
}
