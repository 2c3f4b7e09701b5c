import { randomBytes } from "node:crypto";
import type { Fields } from "../json.ts";
import { type Checkable, type CheckFailure, cannotUse, check } from "../operations/check.ts";
import type { CallOptions } from "./run.ts";

/**
 * The arguments that are set.
 * @throws TypeError for `adopt`, which only a resource has: the client keeps no state to take anything over into
 */
export function given(args: object): Fields {
  if ("adopt" in args) throw new TypeError("Cannot use adopt: it is for resources; here get(id) reads what exists");
  return Object.fromEntries(Object.entries(args).filter(([, value]) => (value ?? undefined) !== undefined));
}

/** A name that no other object has, so that a create whose answer was lost can be found again. */
export function ownName(noun: string): string {
  return `${noun.replaceAll(" ", "-")}-${randomBytes(6).toString("hex")}`;
}

/**
 * The arguments with their defaults, by the same check as the resources'.
 * @throws TypeError that names every fault
 */
export function checked(kind: Checkable, args: Fields, { onMessage }: CallOptions): Fields {
  const { inputs, failures, warnings } = check(kind, {}, args);
  refuse(failures);
  for (const warning of warnings) onMessage?.(warning, "warning");
  return inputs;
}

/**
 * Refuses changes that cannot be made in place.
 * @param live what the object is now
 * @throws TypeError that names every fault
 */
export function checkChanges(kind: Checkable, changes: Fields, live: Fields): void {
  const failures = Object.entries(changes).flatMap(([key, value]): CheckFailure[] => {
    const field = kind.fields[key];
    if (field?.change !== "updates") return [{ property: key, reason: `Cannot change ${key} of a ${kind.className}` }];
    const wrong = field.wrong(value);
    return wrong === undefined ? [] : [{ property: key, reason: cannotUse(key, value, wrong) }];
  });
  // The object exists: what a new one needs to be given it has already.
  refuse([...failures, ...(kind.rules?.({ ...changes, adopt: "it" }, live) ?? [])]);
}

function refuse(failures: readonly CheckFailure[]): void {
  if (failures.length > 0) throw new TypeError(failures.map(({ reason }) => reason).join("; "));
}
