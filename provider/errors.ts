/**
 * Every error class of this package. None but InitError may have a field called `id`: the Node host takes any thrown
 * object that has one for a resource which exists but is not ready.
 */

/** The API refused a call, or could not be reached, or gave no usable answer, and nothing was left running by it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly method: string;
  readonly path: string;
  /** The HTTP status; `undefined` when no answer came. */
  readonly status: number | undefined;
  /** The server's own words. */
  readonly serverMessage: string;
  /** The id that the answer carried, if any. */
  readonly requestId: string | undefined;
  /** How often the call was sent or tried. */
  readonly attempts: number;
  /** The moment before which the server asks not to be asked again, in milliseconds since the epoch. */
  readonly askAgainAtMs: number | undefined;

  constructor(facts: {
    method: string;
    path: string;
    status?: number | undefined;
    serverMessage: string;
    requestId?: string | undefined;
    attempts: number;
    askAgainAtMs?: number | undefined;
    advice: string;
    cause?: unknown;
  }) {
    const { method, path, status, serverMessage, requestId, attempts, advice } = facts;
    const what = status === undefined ? "no usable answer came" : `the API answered ${status}`;
    const ofRequest = requestId === undefined ? "" : ` (request ${requestId})`;
    const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
    super(`Cannot ${method} ${path}: ${what}${tries}: ${serverMessage}${ofRequest}. ${advice}`, { cause: facts.cause });
    this.method = method;
    this.path = path;
    this.status = status;
    this.serverMessage = serverMessage;
    this.requestId = requestId;
    this.attempts = attempts;
    this.askAgainAtMs = facts.askAgainAtMs;
  }
}

/** A call that can buy or restart something was sent, and nobody knows whether the server acted on it. */
export class AnswerLostError extends Error {
  override readonly name = "AnswerLostError";
  readonly method: string;
  readonly path: string;
  /** What became of the answer. */
  readonly reason: string;

  constructor(method: string, path: string, reason: string, advice: string) {
    super(`Cannot tell whether ${method} ${path} took effect: ${reason}. It is not repeated blindly. ${advice}`);
    this.method = method;
    this.path = path;
    this.reason = reason;
  }
}

/** The server's verdict on an accepted request is FAILED. */
export class RequestFailedError extends Error {
  override readonly name = "RequestFailedError";
  readonly requestId: string;
  readonly serverMessage: string;

  /** @param result what has come of it, and what to do next */
  constructor(requestId: string, serverMessage: string, result?: string) {
    const what = `Cannot complete request ${requestId}: the API reports FAILED: ${serverMessage}`;
    super(result === undefined ? what : `${what}. ${result}`);
    this.requestId = requestId;
    this.serverMessage = serverMessage;
  }
}

/** The API has no machines at the moment for what was to be created. Nothing was bought. */
export class NoCapacityError extends Error {
  override readonly name = "NoCapacityError";
  readonly serverMessage: string;
  /** The moment before which the server asks not to be asked again, in milliseconds since the epoch. */
  readonly askAgainAtMs: number | undefined;

  /** @param what was to be created, such as `cluster "train"` */
  constructor(what: string, serverMessage: string, advice: string, cause: unknown) {
    const ofRequest = cause instanceof RequestFailedError ? ` (request ${cause.requestId})` : "";
    const why = `the API has no capacity for it: ${serverMessage}${ofRequest}`;
    super(`Cannot create ${what}: ${why}. Nothing is billed. ${advice}`, { cause });
    this.serverMessage = serverMessage;
    this.askAgainAtMs = cause instanceof ApiError ? cause.askAgainAtMs : undefined;
  }
}

/** A wait ended without the server's verdict: Ctrl-C, or the time limit. The operation goes on at the server. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
  readonly why: "cancelled" | "limit";

  constructor(why: "cancelled" | "limit", limitMs: number) {
    const reason =
      why === "cancelled" ? "it was cancelled" : `the time limit of ${Math.round(limitMs / 1000)} s has passed`;
    super(`Cannot wait any longer: ${reason}`);
    this.why = why;
  }
}

/**
 * The object exists, or may, and is not as the program wants it. Pulumi looks for exactly the fields `id`, `properties`
 * and `reasons` on what a hook throws, keeps the resource in its state, and calls update at the next `pulumi up`.
 */
export class InitError extends Error {
  override readonly name = "InitError";
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly reasons: readonly string[];

  constructor(id: string, properties: Readonly<Record<string, unknown>>, reasons: readonly string[], cause?: unknown) {
    super(reasons.join("\n"), { cause });
    this.id = id;
    this.properties = properties;
    this.reasons = reasons;
  }
}

/** An operation of the client has begun and is not finished: it goes on at the server, or needs a decision of yours. */
export class UnfinishedError extends Error {
  override readonly name = "UnfinishedError";
  /** Of the object, where it is known; to be given to `wait`, or to `destroy`. */
  readonly objectId: string;
  /** The requests that are still under way. */
  readonly requestIds: readonly string[];
  /** Before this moment the server asks not to be asked about them, in milliseconds since the epoch. */
  readonly askAfterMs: number | undefined;

  constructor(
    what: string,
    facts: Readonly<Pick<UnfinishedError, "objectId" | "requestIds" | "askAfterMs">>,
    why: string,
    cause?: unknown,
  ) {
    super(`Cannot finish to ${what}: ${why}`, { cause });
    this.objectId = facts.objectId;
    this.requestIds = facts.requestIds;
    this.askAfterMs = facts.askAfterMs;
  }
}
