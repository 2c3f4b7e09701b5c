import type { Clock } from "../../provider/wait/clock.ts";
import { isFields } from "./answer.ts";
import type { Random } from "./random.ts";

interface When {
  /** The route it strikes, such as `"DELETE /cluster/{cluster}"`. @default every route that it can strike */
  readonly on?: string;
  /** How often; `Infinity`, "always" or -1 without end. @default 1, or with `forSeconds` without end */
  readonly times?: number | "always";
  /** The chance that it strikes, from 0 to 1. @default 1 */
  readonly probability?: number;
  /** How many matching requests pass unharmed first. @default 0 */
  readonly after?: number;
  /** Strikes no more when so many seconds have passed since it was set. @default never too late */
  readonly forSeconds?: number;
}

interface Status {
  /** @default 503 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default an object with a `message` */
  readonly body?: string | object;
}

/** Trouble. Every field but `kind` has a default; what each kind does stands in the README. */
export type Fault = When &
  (
    | { readonly kind: "lost-answer" | "reset" | "broken-json" | "list-json" | "empty" | "request-lost" }
    | ({ readonly kind: "status" | "acted-status" } & Status)
    | { readonly kind: "slow" | "takes" /** @default 5 */; readonly seconds?: number }
    | { readonly kind: "huge-json" /** @default 20 */; readonly megabytes?: number }
    | {
        readonly kind: "too-many" /** Any text; null for no header. @default 1 */;
        readonly retryAfter?: string | number | null;
      }
    | { readonly kind: "stuck" | "completed-but-404" | "unlisted" /** @default for ever */; readonly seconds?: number }
    | {
        readonly kind: "unknown-status";
        readonly word?: string /** -1 for ever. @default 1 */;
        readonly polls?: number;
      }
    | { readonly kind: "failed"; readonly message?: string; readonly keepObject?: boolean }
    | {
        readonly kind: "no-capacity" /** Refuse the create with it. @default accept, then fail */;
        readonly status?: number /** Whether one that was accepted leaves a FAILED object. @default false */;
        readonly keepObject?: boolean;
      }
  );
/** What can go wrong. */
export type FaultKind = Fault["kind"];

/** What a fault strikes: an answer, an operation, or only an operation that makes an object. */
const STRIKES: Readonly<Record<FaultKind, "answer" | "operation" | "creation">> = {
  "lost-answer": "answer",
  reset: "answer",
  status: "answer",
  "acted-status": "answer",
  slow: "answer",
  "broken-json": "answer",
  "huge-json": "answer",
  "list-json": "answer",
  empty: "answer",
  "too-many": "answer",
  stuck: "operation",
  "unknown-status": "operation",
  failed: "operation",
  takes: "operation",
  "request-lost": "operation",
  "completed-but-404": "creation",
  "no-capacity": "creation",
  unlisted: "creation",
};

/** All kinds, for programs that pick some at random. */
export const FAULT_KINDS: readonly FaultKind[] = Object.keys(STRIKES).filter(isKind);

/** The routes that make something. */
const CREATIONS: readonly string[] = ["POST /cluster/create", "POST /storage/create"];

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** How often each kind has struck. */
  fired(): Record<string, number>;
  /** The first fault that strikes the answer to this request. */
  ofAnswer(route: string): Fault | undefined;
  /** All faults that strike the operation which this request has started. */
  ofOperation(route: string): readonly Fault[];
}

export function createFaults(random: Random, clock: Pick<Clock, "now">): Faults {
  let pending: { readonly fault: Fault; readonly untilMs: number; matches: number; left: number }[] = [];
  const fired: Record<string, number> = {};

  function strike(route: string, level: "answer" | "operation", most: number): Fault[] {
    const struck: Fault[] = [];
    for (const one of pending) {
      const { on, after = 0, probability = 1, kind } = one.fault;
      if (struck.length >= most || one.left === 0 || levelOf(one.fault) !== level) continue;
      if (clock.now() >= one.untilMs) continue;
      if (on !== undefined ? plain(on) !== plain(route) : STRIKES[kind] === "creation" && !CREATIONS.includes(route))
        continue;
      one.matches += 1;
      // Without a probability nothing is drawn, so a scripted fault does not shift the random ones.
      if (one.matches <= after || (probability < 1 && random() >= probability)) continue;
      one.left -= 1;
      fired[kind] = (fired[kind] ?? 0) + 1;
      struck.push(one.fault);
    }
    return struck;
  }

  return {
    add(fault) {
      const { forSeconds = Number.POSITIVE_INFINITY } = fault;
      const { times = fault.forSeconds === undefined ? 1 : "always" } = fault;
      const left = times === "always" || times < 0 ? Number.POSITIVE_INFINITY : times;
      pending.push({ fault, untilMs: clock.now() + forSeconds * 1_000, matches: 0, left });
    },
    clear: () => void (pending = []),
    fired: () => ({ ...fired }),
    ofAnswer: (route) => strike(route, "answer", 1)[0],
    ofOperation: (route) => strike(route, "operation", Number.POSITIVE_INFINITY),
  };
}

function levelOf(fault: Fault): "answer" | "operation" {
  const refuses = fault.kind === "no-capacity" && fault.status !== undefined;
  return refuses || STRIKES[fault.kind] === "answer" ? "answer" : "operation";
}

/** A route without the names of its parameters. */
export function plain(route: string): string {
  return route.replace(/\{[^}]*\}/g, "{}");
}

/** Whether `value`, read from JSON, is a fault: a known kind, and its fields of the right types. */
export function isFault(value: unknown): value is Fault {
  if (!isFields(value) || typeof value["kind"] !== "string" || !isKind(value["kind"])) return false;
  return Object.entries(value).every(([key, field]) => FIELD_TYPES[key]?.includes(typeof field));
}

const FIELD_TYPES: Readonly<Record<string, readonly string[]>> = {
  kind: ["string"],
  on: ["string"],
  times: ["number", "string"],
  probability: ["number"],
  after: ["number"],
  forSeconds: ["number"],
  status: ["number"],
  headers: ["object"],
  body: ["string", "object"],
  seconds: ["number"],
  megabytes: ["number"],
  retryAfter: ["string", "number", "object"],
  word: ["string"],
  polls: ["number"],
  message: ["string"],
  keepObject: ["boolean"],
};

function isKind(kind: string): kind is FaultKind {
  return Object.hasOwn(STRIKES, kind);
}
