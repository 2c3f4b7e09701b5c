import { isDeepStrictEqual } from "node:util";
import { type Fields, text } from "../json.ts";
import type { FieldTable } from "./fields.ts";
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
