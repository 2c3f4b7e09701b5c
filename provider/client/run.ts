import type { Api } from "../api/client.ts";
import type { Context, Progress } from "../context.ts";
import { UnfinishedError } from "../errors.ts";
import type { Clock } from "../wait/clock.ts";
import { startLimit } from "../wait/limit.ts";
import { asClientError } from "./advice.ts";

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
  /** The error as its readers need it. @default with advice for callers who do not run Pulumi */
  readonly asError?: (error: unknown, what: string) => unknown;
}

export const CREATE_LIMIT_MS = 3_600_000;
const LIMIT_MS = 1_800_000;

/**
 * Runs one operation with a context of its own.
 * @param what is done, for messages, such as `create cluster "train"`
 */
export async function run<T>(
  { api, clock, keyId, askAfterMs, asError = asClientError }: Core,
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
    const shown = asError(error, what);
    // Who goes on waiting in this process is bound by it too.
    if (shown instanceof UnfinishedError) {
      for (const requestId of shown.requestIds) askAfterMs.set(requestId, shown.askAfterMs ?? 0);
    }
    throw shown;
  } finally {
    given?.removeEventListener("abort", stop);
    end();
  }
}
