import type { Fields } from "../json.ts";

/**
 * What may be handed to the Node host: JSON and nothing else. A single `undefined` in the outputs would lose the
 * resource after it was bought, and one in an init error would hang the engine for ever.
 */
export function clean(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([key, value]) => [key, cleanValue(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function cleanValue(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map((one) => cleanValue(one) ?? null);
  return typeof value === "object" ? clean({ ...value }) : undefined;
}
