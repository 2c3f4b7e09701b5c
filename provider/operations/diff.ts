import { isDeepStrictEqual } from "node:util";
import { type Fields, text } from "../json.ts";
import { type FieldTable, isUnknown } from "./fields.ts";
import { PENDING } from "./hidden.ts";

export interface Diff {
  readonly changes: boolean;
  readonly replaces: string[];
}

/** Words of a status under which an object is on its way to be ready. Others that are unknown start nothing. */
export const ON_ITS_WAY: readonly string[] = ["PENDING", "PROVISIONING", "CONFIGURING"];
/** Words under which it will never be ready. `MISSING` is ours: the API reported success and has no such object. */
export const BEYOND_REPAIR: readonly string[] = ["FAILED", "DESTROYING", "DESTROYED", "MISSING"];

/**
 * Compares what the program wants with what the state knows. Pure.
 *
 * An argument that the old outputs lack, or that the program leaves open, is unknown and not different: no release of
 * this package, and nothing taken over, replaces a live object by a guess.
 */
export function diff(fields: FieldTable, olds: Fields, news: Fields): Diff {
  const status = text(olds, "status");
  const replaces = status !== undefined && BEYOND_REPAIR.includes(status) ? ["status"] : [];
  let changes = olds[PENDING] !== undefined || (status !== undefined && ON_ITS_WAY.includes(status));
  for (const [key, field] of Object.entries(fields)) {
    if (!differs(olds[key], news[key])) continue;
    changes = true;
    if (field.change === "replaces") replaces.push(key);
  }
  if (!isDeepStrictEqual(olds["timeouts"] ?? null, news["timeouts"] ?? null)) changes = true;
  return { changes: changes || replaces.length > 0, replaces };
}

/**
 * A replacement destroys first, and what `adopt` then looks for is gone: refused while nothing is lost.
 * @throws Error when a change that is known replaces what adopt has taken over
 */
export function keepAdopted(noun: string, id: string, olds: Fields, news: Fields, { replaces }: Diff): void {
  const adopted = text(news, "adopt");
  const certain = replaces.filter((key) => !isUnknown(news[key]));
  if (adopted === undefined || adopted !== olds["adopt"] || certain.length === 0) return;
  const why = certain.map((key) => (key === "status" ? `it is ${text(olds, key)}` : `${key} has changed`)).join(", ");
  throw new Error(
    `Cannot replace ${noun} ${id}: ${why}, and adopt: "${adopted}" would look for it in vain once it is destroyed. Nothing was changed. Take adopt out of the program to have it destroyed and a new one created, or undo the change`,
  );
}

function differs(old: unknown, wanted: unknown): boolean {
  return old !== undefined && wanted !== undefined && !isDeepStrictEqual(normal(old), normal(wanted));
}

/** The order of a list of keys, and blanks around a key, mean nothing. */
function normal(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .map((one) => (typeof one === "string" ? one.trim() : JSON.stringify(one)))
    .sort((a, b) => (a < b ? -1 : 1));
}
