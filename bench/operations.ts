import type { EmulatorOptions, Fault, Ledger } from "../test/emulator/index.ts";
import { createIds, seededRandom } from "../test/emulator/random.ts";
import { quantile, type Row, rowOf, type Subject } from "./row.ts";

/** The server that operations are measured on. */
export interface Setting {
  readonly seconds: number;
  /** `null` for a server that sends no Retry-After. */
  readonly retryAfter: number | null;
}

export const SETTINGS: readonly Setting[] = [3, 30, 180].flatMap((seconds) =>
  [1, 5, 15, null].map((retryAfter) => ({ seconds, retryAfter })),
);

/**
 * How long the `index`-th of `n` operations takes: up to a tenth more or less, so that no interval fits it by chance.
 */
function secondsOf({ seconds }: Setting, index: number, n: number): number {
  return seconds * (0.9 + (0.2 * (index + 0.5)) / n);
}

/** The emulator of a setting. */
export function optionsOf(setting: Setting, n: number): EmulatorOptions {
  const faults = Array.from({ length: n }, (_, after): Fault => {
    return { kind: "takes", on: "POST /cluster/create", seconds: secondsOf(setting, after, n), after };
  });
  return { retryAfterSeconds: setting.retryAfter, faults };
}

/** What some creates at once came to: one for each, but for the last two. */
export interface Observed {
  /** Milliseconds that each hook returned after the first moment at which an obedient client could know. */
  readonly lagsMs: readonly number[];
  readonly earlyPolls: number;
  readonly requests: number;
}

/**
 * What the ledger tells of creates that returned at these times, in milliseconds since the epoch, by cluster name.
 *
 * A client that was last told to wait until some moment cannot learn of a completion before it: only what comes on top
 * counts as its lag. One that asks sooner than it was told gets a negative lag, and early polls.
 */
export function observed(ledger: Ledger, returnedAtMs: ReadonlyMap<string, number>, setting: Setting): Observed {
  const requests = ledger.requests;
  const creates = requests.filter(({ method, path }) => `${method} ${path}` === "POST /cluster/create");
  const requestIds = requestIdsOf(ledger);
  const lagsMs = ledger.everBilled.map(({ name }, index) => {
    const acceptedMs = creates[index]?.atMs ?? Number.NaN;
    const completedMs = acceptedMs + secondsOf(setting, index, ledger.everBilled.length) * 1_000;
    const polls = requests.filter(({ path }) => path === `/request/info/${requestIds[index]}`);
    const askedMs = polls.map(({ atMs }) => atMs).filter((atMs) => atMs < completedMs);
    const allowedMs = setting.retryAfter === null ? 0 : Math.max(acceptedMs, ...askedMs) + setting.retryAfter * 1_000;
    return (returnedAtMs.get(name) ?? Number.NaN) - Math.max(completedMs, allowedMs);
  });
  return { lagsMs, earlyPolls: requests.filter(({ early }) => early).length, requests: requests.length };
}

/** The request of each cluster: the emulator draws its ids from its seed, so they can be drawn once more. */
function requestIdsOf({ everBilled }: Ledger): string[] {
  const ids = createIds(seededRandom(1));
  return everBilled.map(({ id }) => {
    const [cluster, , request] = [ids("c"), ids("i"), ids("r")];
    if (cluster !== id)
      throw new Error(`Cannot tell the request of cluster ${id}: the emulator draws its ids otherwise`);
    return request;
  });
}

/** The four rows of one subject on one server; a run that failed is `undefined`. */
export function lagRows(
  subject: Subject,
  n: number,
  setting: Setting,
  how: string,
  runs: readonly (Observed | undefined)[],
): Row[] {
  const wait = setting.retryAfter === null ? "no Retry-After" : `Retry-After ${setting.retryAfter}`;
  const label = { subject, n, case: `${setting.seconds} s, ${wait}${how}` };
  const each = (value: (run: Observed) => number) => runs.map((run) => run && value(run));
  return [
    rowOf(
      { ...label, measure: "lag-overhead-p50" },
      each(({ lagsMs }) => quantile(lagsMs, 0.5)),
    ),
    rowOf(
      { ...label, measure: "lag-overhead-p99" },
      each(({ lagsMs }) => quantile(lagsMs, 0.99)),
    ),
    rowOf(
      { ...label, measure: "early-polls" },
      each(({ earlyPolls }) => earlyPolls),
    ),
    rowOf(
      { ...label, measure: "requests-per-operation" },
      each(({ requests }) => requests / n),
    ),
  ];
}
