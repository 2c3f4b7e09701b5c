import { InitError, StoppedError } from "../errors.ts";
import type { Fields } from "../json.ts";
import { clean } from "./clean.ts";

/** An empty id would make the engine forget what was just bought. */
export function idOf(id: string): string {
  return id || "request:unknown";
}

/** The host prints the stack of what check, diff, read and delete throw, beside the message. */
export function quietly<A extends unknown[], R>(hook: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await hook(...args);
    } catch (error) {
      if (error instanceof Error) error.stack = "";
      throw error;
    }
  };
}

/** The error as the host may have it: an Error, without the key, and ready to be kept when it carries an id. */
export function presentable(
  error: unknown,
  scrub: (words: string) => string,
  cannot: (why: string) => string,
  props: Fields,
): Error {
  if (error instanceof InitError) {
    const provider = props["__provider"] ?? error.properties["__provider"];
    const properties = clean({ ...error.properties, __provider: provider });
    return new InitError(idOf(error.id), properties, error.reasons.map(scrub));
  }
  if (error instanceof StoppedError) {
    const why = error.why === "cancelled" ? "it was cancelled" : error.message;
    return new Error(cannot(`${why} before anything was sent. Run the command again`));
  }
  if (!(error instanceof Error)) return new Error(cannot(scrub(String(error))));
  const shown = new Error(scrub(error.message));
  shown.name = error.name;
  return shown;
}
