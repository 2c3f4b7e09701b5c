export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  /** An object goes out as JSON, a text or bytes as they are; a function makes bytes one after the other. @default no body */
  readonly body?: Fields | string | Uint8Array | (() => Iterable<Uint8Array>);
  readonly headers?: Readonly<Record<string, string>>;
  /** The operation goes on: the answer gets the `Retry-After` that this server was told to send. */
  readonly goesOn?: boolean;
}

/** Thrown by a route to answer something else than success. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly answer: Answer;
  constructor(answer: Answer, message: string) {
    super(message);
    this.answer = answer;
  }
}

/** A 4xx whose text stands in `message`. */
export function refusal(status: number, message: string): Refusal {
  return new Refusal({ status, body: { message } }, message);
}

export function ok(body: Fields): Answer {
  return { status: 200, body };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The object in a request's text; an absent body is an empty object, because the vendor's client sends body-less calls
 * with `Content-Type: application/json`.
 */
export function parseBody(text: string): Fields {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // Not JSON at all: refused like any other body that is no object.
  }
  throw refusal(422, "The request body must be a JSON object");
}
