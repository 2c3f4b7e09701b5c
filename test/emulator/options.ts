import { type Clock, realClock } from "../../provider/wait/clock.ts";
import type { Fault } from "./faults.ts";

/** `include_org=true` lists what the organization owns *instead of* what is personal. */
export type Owner = "personal" | "organization";

/** A valid API key, and whose it is. */
export interface KeyOptions {
  readonly key: string;
  /** Keys of one account see the same objects, as after a key rotation. @default an account of its own */
  readonly account?: string;
  /** Where new objects of this key live. @default "personal" */
  readonly owner?: Owner;
}

/** How the server that is emulated behaves. */
export interface EmulatorOptions {
  /** @default 0 (any free port) */
  readonly port?: number;
  /** Seconds an operation takes; an edit takes a quarter of it. @default 0.2 */
  readonly operationSeconds?: number;
  /** `Retry-After` of every 202 and of request-info while it is not terminal; `null` leaves it out. @default 1 */
  readonly retryAfterSeconds?: number | null;
  /** @default "seconds" */
  readonly retryAfterFormat?: "seconds" | "http-date";
  /** Everything random, ids and faults, follows from it. @default 1 */
  readonly seed?: number;
  /** The valid keys. @default ["test-key"] */
  readonly keys?: readonly (string | KeyOptions)[];
  /** The spec to the letter: `ssh_key_id` is required, every 202 of an operation has `request_id`. @default false */
  readonly strictSpec?: boolean;
  /** Whether object storage is enabled for every account from the start. @default false */
  readonly objectStorage?: boolean;
  /** Only the operations and fields of the project's specification; see the README. @default false */
  readonly minimalSpec?: boolean;
  /** Routes that this server does not have, such as `"GET /cluster/list"`. @default none */
  readonly without?: readonly string[];
  /** Fields left out of every answer, such as `"cluster_id"`. @default none */
  readonly omit?: readonly string[];
  /** What the info endpoints answer for an object that was destroyed. @default "404" */
  readonly goneAs?: "404" | "record";
  /** How a job cancel is accepted. @default 202 and no request id; with one under strictSpec and minimalSpec */
  readonly jobCancel?: { readonly status: 200 | 202; readonly requestId: boolean };
  /** Seconds a download link is good for. @default 3600 */
  readonly linkSeconds?: number;
  readonly faults?: readonly Fault[];
  /** Operations move by `now()` alone; only slow answers sleep. @default real time */
  readonly clock?: Clock;
  /** How far the server's own clock is ahead: its `Date` header and every date it gives. @default 0 */
  readonly clockSkewSeconds?: number;
  /** A token bucket over all requests; an empty one answers 429. @default none */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number };
}

/** Whose key a request carries. */
export interface Caller {
  readonly account: string;
  readonly owner: Owner;
}

type Always = Required<Omit<EmulatorOptions, "keys" | "rateLimit">>;

export interface Settings extends Always {
  readonly callers: ReadonlyMap<string, Caller>;
  readonly rateLimit: EmulatorOptions["rateLimit"];
}

/** @throws RangeError for a number that makes no sense */
export function settingsOf({ keys = ["test-key"], rateLimit, ...options }: EmulatorOptions): Settings {
  const toTheLetter = options.strictSpec === true || options.minimalSpec === true;
  const settings: Settings = {
    port: 0,
    operationSeconds: 0.2,
    retryAfterSeconds: 1,
    retryAfterFormat: "seconds",
    seed: 1,
    strictSpec: false,
    objectStorage: false,
    minimalSpec: false,
    without: [],
    omit: [],
    goneAs: "404",
    jobCancel: { status: 202, requestId: toTheLetter },
    linkSeconds: 3_600,
    faults: [],
    clock: realClock,
    clockSkewSeconds: 0,
    ...options,
    rateLimit,
    callers: new Map(keys.map((one) => callerOf(typeof one === "string" ? { key: one } : one))),
  };
  const { operationSeconds, retryAfterSeconds } = settings;
  for (const [name, value] of Object.entries({ operationSeconds, retryAfterSeconds: retryAfterSeconds ?? 0 })) {
    if (!(value >= 0)) throw new RangeError(`Cannot use ${name}: expected 0 or more, current value is ${value}`);
  }
  return settings;
}

function callerOf({ key, account = key, owner = "personal" }: KeyOptions): [string, Caller] {
  return [key, { account, owner }];
}
