import { FAULT_KINDS, type Fault, type FaultKind } from "../emulator/faults.ts";
import type { Dice } from "./dice.ts";

/**
 * What the package assumes of the server, and what the random faults therefore respect:
 * - an object that was accepted is in the lists within 60 s, and one whose create is COMPLETED under its id as well;
 * - a 4xx other than 408 means that nothing was done; a list route that answers 404, 405 or 410 does not exist;
 * - an operation ends some time: with the faults off nothing is stuck for ever, and no word for a status stays unknown.
 */
const SHOWS_WITHIN_SECONDS = 45;

/** Retry-After as servers write it, and as they should not. */
const RETRY_AFTERS: readonly (string | number | null)[] = [
  0,
  1,
  2.5,
  7,
  30,
  59,
  120,
  null,
  "soon",
  "-5",
  "",
  "1e3",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Wed, 31 Dec 2098 23:59:59 GMT",
];

const ROUTES: readonly string[] = [
  "POST /cluster/create",
  "POST /storage/create",
  "POST /storage/attach",
  "POST /storage/detach",
  "GET /cluster/list",
  "GET /storage/list",
  "GET /cluster/info/{}",
  "GET /storage/info/{}",
  "GET /request/info/{}",
  "PATCH /cluster/edit/{}",
  "PATCH /storage/edit/{}",
  "DELETE /cluster/{}",
  "DELETE /storage/{}",
  "POST /user/ssh-key/add",
  "GET /user/ssh-key/list",
  "DELETE /user/ssh-key/remove/{}",
  "PUT /object-storage/bucket/create/{}",
  "GET /object-storage/bucket/list",
  "DELETE /object-storage/bucket/delete/{}",
];
const OPERATIONS: readonly string[] = [
  "POST /cluster/create",
  "POST /storage/create",
  "POST /storage/attach",
  "POST /storage/detach",
  "PATCH /cluster/edit/{}",
  "PATCH /storage/edit/{}",
  "DELETE /cluster/{}",
  "DELETE /storage/{}",
];
const CREATIONS: readonly string[] = ["POST /cluster/create", "POST /storage/create"];

interface Bounds {
  /** Whether new objects may be missing from the lists for a while. */
  readonly mayBeUnlisted: boolean;
  /** Whether new objects may vanish for a while when they are COMPLETED. */
  readonly mayBeHidden: boolean;
  /** Whether time must be saved. */
  readonly isRealTime: boolean;
}

/** What makes the package wait for half a minute and more; and resets, before anything was done, of what is looked for. */
const SLOW_KINDS: readonly FaultKind[] = ["request-lost", "completed-but-404", "unlisted"];
const NOT_ON_CREATIONS: readonly FaultKind[] = ["reset", "status", "huge-json"];

type What = Fault extends infer F
  ? F extends Fault
    ? Omit<F, "on" | "times" | "probability" | "after">
    : never
  : never;

const MAKERS: Readonly<Record<FaultKind, (dice: Dice, bounds: Bounds) => What>> = {
  "lost-answer": () => ({ kind: "lost-answer" }),
  reset: () => ({ kind: "reset" }),
  "broken-json": () => ({ kind: "broken-json" }),
  "list-json": () => ({ kind: "list-json" }),
  empty: () => ({ kind: "empty" }),
  "request-lost": () => ({ kind: "request-lost" }),
  status: (dice, { isRealTime }) => ({
    kind: "status",
    status: dice.pick([500, 502, 503, 503, 504, 408, 401, 403, 400]),
    ...(dice.chance(0.3) && { headers: { "retry-after": String(dice.whole(0, isRealTime ? 1 : 40)) } }),
    ...(dice.chance(0.3) && { body: dice.pick(["", "<html>Bad gateway</html>", "null", "[1]"]) }),
  }),
  "acted-status": (dice) => ({ kind: "acted-status", status: dice.pick([500, 502, 503, 504, 408]) }),
  slow: (dice, { isRealTime }) => ({ kind: "slow", seconds: dice.pick(isRealTime ? [0.2, 1] : [2, 10, 29, 31, 45]) }),
  takes: (dice, { isRealTime }) => ({
    kind: "takes",
    seconds: dice.pick(isRealTime ? [0, 4] : [0, 1, 30, 300, 1_500]),
  }),
  "huge-json": () => ({ kind: "huge-json", megabytes: 17 }),
  "too-many": (dice, { isRealTime }) => ({
    kind: "too-many",
    retryAfter: dice.pick(isRealTime ? [0, 1, 0.3, null, "soon"] : RETRY_AFTERS),
  }),
  stuck: (dice, { isRealTime }) => ({
    kind: "stuck",
    seconds: dice.pick(isRealTime ? [3, 6] : [60, 600, 4_000, 8_000]),
  }),
  // Without an end the object is gone for good: the server's success was none.
  "completed-but-404": (dice, { mayBeHidden }) => ({
    kind: "completed-but-404",
    ...(mayBeHidden && dice.chance(0.8) && { seconds: dice.whole(1, SHOWS_WITHIN_SECONDS) }),
  }),
  unlisted: (dice) => ({ kind: "unlisted", seconds: dice.whole(1, SHOWS_WITHIN_SECONDS) }),
  "unknown-status": (dice) => ({
    kind: "unknown-status",
    polls: dice.whole(1, 6),
    word: dice.pick(["QUEUED", "retrying", "SUCCEEDED?", "Paused", "FAILING"]),
  }),
  failed: (dice) => ({
    kind: "failed",
    message: "The node caught fire",
    ...(dice.chance(0.5) && { keepObject: dice.chance(0.5) }),
  }),
  "no-capacity": (dice, { isRealTime }) => ({
    kind: "no-capacity",
    ...(dice.chance(0.5)
      ? { status: dice.pick(isRealTime ? [409, 400] : [409, 400, 503]) }
      : { keepObject: dice.chance(0.3) }),
  }),
};

const ON_OPERATIONS: readonly FaultKind[] = ["request-lost", "takes", "stuck", "unknown-status", "failed"];
const ON_CREATIONS: readonly FaultKind[] = ["completed-but-404", "unlisted", "no-capacity"];

/** A few random faults of any kind, on one route or on all that they can strike. */
export function randomFaults(dice: Dice, bounds: Bounds): Fault[] {
  const { mayBeUnlisted, isRealTime } = bounds;
  const isMeant = (kind: FaultKind): boolean =>
    isRealTime ? !SLOW_KINDS.includes(kind) : mayBeUnlisted || kind !== "unlisted";
  const kinds = FAULT_KINDS.filter(isMeant);
  const faults = Array.from({ length: dice.whole(1, 5) }, (): Fault => {
    const kind = dice.pick(kinds);
    const routes = ON_CREATIONS.includes(kind) ? CREATIONS : ON_OPERATIONS.includes(kind) ? OPERATIONS : ROUTES;
    const isSlowHere = isRealTime && NOT_ON_CREATIONS.includes(kind);
    // Large answers are slow to make, so they come one by one.
    const isOften = kind !== "huge-json" && dice.chance(0.35);
    return {
      ...MAKERS[kind](dice, bounds),
      ...((isSlowHere || dice.chance(0.6)) && {
        on: dice.pick(isSlowHere ? routes.filter((route) => !route.startsWith("POST")) : routes),
      }),
      ...(isOften ? { times: "always", probability: dice.pick([0.03, 0.1, 0.3]) } : { times: dice.whole(1, 3) }),
      ...(dice.chance(0.4) && { after: dice.whole(1, 6) }),
    };
  });
  return isRealTime || dice.chance(0.8) ? faults : [...faults, outage(dice, bounds)];
}

/** A time without any capacity for clusters. */
function outage(dice: Dice, bounds: Bounds): Fault {
  const on = "POST /cluster/create";
  return { ...MAKERS["no-capacity"](dice, bounds), on, forSeconds: dice.whole(30, 1_500) };
}
