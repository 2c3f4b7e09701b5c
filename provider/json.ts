/** Reading of values whose type nobody has promised: answers of the API, and properties that the engine hands over. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object in `text`, or `undefined` when it is not JSON or not an object. */
export function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A non-empty text, or `undefined`. */
export function text(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A finite number, or `undefined`. */
export function number(fields: Fields, key: string): number | undefined {
  const value = fields[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function flag(fields: Fields, key: string): boolean | undefined {
  const value = fields[key];
  return typeof value === "boolean" ? value : undefined;
}

/** The texts of a list, or `undefined` when it is none. */
export function texts(fields: Fields, key: string): string[] | undefined {
  const value = fields[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

/** The objects of a list, or `undefined` when it is none. */
export function objects(fields: Fields, key: string): Fields[] | undefined {
  const value = fields[key];
  return Array.isArray(value) ? value.filter(isFields) : undefined;
}
