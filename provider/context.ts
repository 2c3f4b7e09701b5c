import type { Api } from "./api/client.ts";
import type { Clock } from "./wait/clock.ts";

/** How far an operation is. Never holds a key or a signed URL. */
export interface Progress {
  /** Such as `PROCESSING`, or a few words of ours. */
  readonly status: string;
  readonly requestId?: string;
  /** When the server is asked next, in milliseconds since the epoch. */
  readonly nextAtMs?: number;
}

/** What an operation may use: everything that is not its own arguments. */
export interface Context {
  readonly api: Api;
  /** First 8 hex digits of the key's SHA-256: tells later whether an object was last seen with the same key. */
  readonly keyId: string;
  readonly clock: Clock;
  /** Ends waits, with a StoppedError as its reason: at Ctrl-C, and at the time limit. */
  readonly signal: AbortSignal;
  /** Shows how far the operation is. */
  readonly report: (progress: Progress) => void;
  /** Says something once, on a line of its own. */
  readonly say: (severity: "info" | "warning", message: string) => void;
  /**
   * To be awaited right before each sending of a call that can buy: an engine that is gone cannot keep what is bought.
   * @throws when nobody is there any more to keep the result
   */
  readonly mayBuy: () => Promise<void>;
  /** The resource's name in the program, for messages. */
  readonly resource: string;
}
