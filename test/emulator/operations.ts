import type { Fault } from "./faults.ts";
import type { World } from "./world.ts";

/** The vendor's words for what a request does; JOB_CANCEL is guessed. */
export type RequestType =
  | "CLUSTER_CLAIM"
  | "CLUSTER_RELEASE"
  | "CLUSTER_EDIT"
  | "STORAGE_CREATE"
  | "STORAGE_DESTROY"
  | "STORAGE_ATTACH"
  | "STORAGE_DETACH"
  | "STORAGE_EDIT"
  | "JOB_CANCEL";

interface Plan {
  readonly type: RequestType;
  readonly account: string;
  readonly objectId: string;
  /** The part of the usual time that it takes. @default 1 */
  readonly share?: number;
  /** The statuses that its objects go through meanwhile. @default their own */
  readonly words?: readonly string[];
  /** The objects whose status shows it. @default none */
  readonly holds?: readonly { operation: Operation | undefined }[];
  succeed(operation: Operation): void;
  /** `keepObject` as the fault says; each operation has its own idea where it does not. */
  fail(keepObject: boolean | undefined): void;
}

export interface Operation extends Plan {
  readonly id: string;
  readonly startedMs: number;
  readonly dueMs: number;
  readonly createdAt: string;
  readonly faults: readonly Fault[];
  outcome: "COMPLETED" | "FAILED" | undefined;
  message: string | undefined;
  polls: number;
}

/** Accepts an operation on behalf of a request to `route`; it moves on its own from then on. */
export function startOperation(world: World, route: string, createdAt: string, plan: Plan): Operation {
  const faults = world.faults.ofOperation(route);
  const startedMs = world.settings.clock.now();
  const stuck = faultOf(faults, "stuck");
  const takes = faultOf(faults, "takes");
  const usualSeconds = world.settings.operationSeconds * (plan.share ?? 1);
  const seconds = stuck
    ? (secondsOf(stuck) ?? Number.POSITIVE_INFINITY)
    : takes
      ? (secondsOf(takes) ?? 5)
      : usualSeconds;
  const operation: Operation = {
    ...plan,
    id: world.ids("r"),
    startedMs,
    dueMs: startedMs + seconds * 1_000,
    createdAt,
    faults,
    outcome: undefined,
    message: undefined,
    polls: 0,
  };
  for (const object of plan.holds ?? []) object.operation = operation;
  world.operations.set(operation.id, operation);
  world.underWay.add(operation);
  return operation;
}

/** Brings the world up to date: all that is due by now happens now, in order, as of its own time. */
export function settle(world: World): void {
  const nowMs = world.settings.clock.now();
  const due = [...world.underWay].filter((one) => one.dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
  for (const operation of due) {
    const failed = faultOf(operation.faults, "failed") ?? faultOf(operation.faults, "no-capacity");
    if (failed === undefined) {
      end(world, operation, "COMPLETED");
      operation.succeed(operation);
    } else {
      const own = failed.kind === "failed" ? failed.message : "No capacity is available for this request at the moment";
      end(world, operation, "FAILED", own ?? "The operation failed");
      operation.fail(failed.keepObject);
    }
  }
}

/** Ends an operation that something else has overtaken; it has no effect then. */
export function overtake(world: World, operation: Operation, message: string): void {
  end(world, operation, "FAILED", message);
}

function end(world: World, operation: Operation, outcome: "COMPLETED" | "FAILED", message?: string): void {
  operation.outcome = outcome;
  operation.message = message;
  world.underWay.delete(operation);
  for (const object of operation.holds ?? []) {
    if (object.operation === operation) object.operation = undefined;
  }
}

/** The part of it that is done, from 0 to 1; a stuck one does not move. */
function progress(operation: Operation, nowMs: number): number {
  if (faultOf(operation.faults, "stuck")) return 0;
  return (nowMs - operation.startedMs) / (operation.dueMs - operation.startedMs);
}

/** The word for an object's status while `operation` goes on. */
export function wordOf(operation: Operation, nowMs: number): string | undefined {
  const words = operation.words ?? [];
  return words[Math.min(Math.floor(progress(operation, nowMs) * words.length), words.length - 1)];
}

/** What request-info says at this poll. */
export function requestStatus(operation: Operation, nowMs: number): string {
  const unknown = faultOf(operation.faults, "unknown-status");
  const polls = unknown?.polls ?? 1;
  if (unknown && (polls < 0 || operation.polls <= polls)) return unknown.word ?? "QUEUED";
  return operation.outcome ?? (progress(operation, nowMs) < 1 / 3 ? "PENDING" : "PROCESSING");
}

export function faultOf<K extends Fault["kind"]>(
  faults: readonly Fault[],
  kind: K,
): Extract<Fault, { kind: K }> | undefined {
  return faults.find((one): one is Extract<Fault, { kind: K }> => one.kind === kind);
}

function secondsOf(fault: Fault): number | undefined {
  return "seconds" in fault ? fault.seconds : undefined;
}
