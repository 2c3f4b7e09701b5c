/**
 * What a value becomes on its way through `google.protobuf.Struct`, by which the engine and the Node host talk: JSON with
 * doubles. Objects keep what `for in` finds of them, so a Date or a Map arrives as `{}`.
 * @throws Error for undefined, functions, symbols and BigInt, wherever they are
 */
export function throughStruct(fields: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  // Not Object.entries: the real one walks inherited properties too.
  for (const key in fields) result[key] = throughValue(Reflect.get(fields, key));
  return result;
}

function throughValue(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  // No JSON has a NaN: the engine, which keeps the state as JSON, reads null.
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(throughValue);
  if (typeof value === "object") return throughStruct(value);
  throw new Error("Unexpected struct type.");
}
