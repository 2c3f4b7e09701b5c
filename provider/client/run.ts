import type { Api } from "../api/client.ts";
import type { Context, Progress } from "../context.ts";
import { InitError, UnfinishedError } from "../errors.ts";
import { pendingOf } from "../operations/state.ts";
import type { Clock } from "../wait/clock.ts";
import { startLimit } from "../wait/limit.ts";

/** What every call of the client takes as its last argument. */
export interface CallOptions {
  /** Ends waiting. A change that was sent already goes on at the server. */
  readonly signal?: AbortSignal;
  /** Milliseconds until it stops waiting. @default 3_600_000 for what creates, 1_800_000 for the rest */
  readonly timeoutMs?: number;
  /** Is told how far the operation is. */
  readonly onProgress?: (progress: Progress) => void;
  /** Is told what is worth a line of its own. */
  readonly onMessage?: (message: string, severity: "info" | "warning") => void;
}

/** What all parts of one client share. */
export interface Core {
  readonly api: Api;
  readonly clock: Clock;
  readonly keyId: string;
  /** Before which moment the server asks not to be asked about a request, in milliseconds since the epoch. */
  readonly askAfterMs: Map<string, number>;
}

export const CREATE_LIMIT_MS = 3_600_000;
const LIMIT_MS = 1_800_000;

/**
 * Runs one operation with a context of its own.
 * @param what is done, for messages, such as `create cluster "train"`
 */
export async function run<T>(
  { api, clock, keyId, askAfterMs }: Core,
  what: string,
  options: CallOptions,
  operation: (context: Context) => Promise<T>,
  defaultLimitMs: number = LIMIT_MS,
): Promise<T> {
  const { signal: given, timeoutMs = defaultLimitMs, onProgress, onMessage } = options;
  if (!(timeoutMs >= 0))
    throw new RangeError(`Cannot use timeoutMs: expected 0 or more, current value is ${timeoutMs}`);
  const { signal, stop, end } = startLimit(clock, timeoutMs);
  if (given?.aborted) stop();
  given?.addEventListener("abort", stop, { once: true });
  try {
    return await operation({
      api,
      keyId,
      clock,
      signal,
      resource: what,
      report: (progress) => onProgress?.(progress),
      say: (severity, message) => onMessage?.(message, severity),
      mayBuy: async () => undefined,
    });
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    const { requestIds = [], askAfterMs: notBeforeMs } = pendingOf(error.properties) ?? {};
    // Who goes on waiting in this process is bound by it too.
    for (const requestId of requestIds) askAfterMs.set(requestId, notBeforeMs ?? 0);
    const facts = { objectId: error.id, requestIds, askAfterMs: notBeforeMs };
    throw new UnfinishedError(what, facts, error.message, error.cause);
  } finally {
    given?.removeEventListener("abort", stop);
    end();
  }
}
