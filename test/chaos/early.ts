import { LONGEST_RETRY_AFTER_MS } from "../../provider/wait/retry-after.ts";

/**
 * Watches from the client's side that nothing is asked before the time that the server has allowed: the server alone
 * cannot tell a request that was on its way already, or a process that died with what it had been told.
 */
export interface EarlyWatch {
  /** A process sends a request. */
  sent(path: string, atMs: number): void;
  /** An answer has reached the process. */
  received(path: string, answer: { status: number; waitMs: number | undefined; requestIds: readonly string[] }, atMs: number): void;
  /** The process is killed: nobody remembers. */
  forget(): void;
  /** A delete or read has failed: the engine keeps nothing of what it was told of these requests. */
  excuse(requestIds: readonly string[]): void;
  /** The process has ended in peace: the state remembers when each request may be asked for. */
  rest(): void;
  readonly early: string[];
}

const POLL = /^\/request\/info\/(.+)$/;
/** Times are compared as milliseconds with fractions. */
const SLACK_MS = 0.001;

export function watchEarly(found: (line: string) => void): EarlyWatch {
  const early: string[] = [];
  const notBefore = new Map<string, number>();
  let quietUntilMs = 0;
  return {
    early,
    sent(path, atMs) {
      const requestId = POLL.exec(path)?.[1];
      const allowedMs = Math.max(quietUntilMs, (requestId && notBefore.get(requestId)) || 0);
      if (atMs >= allowedMs - SLACK_MS) return;
      early.push(`${path} was sent ${Math.round(allowedMs - atMs)} ms early`);
      found(early.at(-1) ?? "");
    },
    received(path, { status, waitMs, requestIds }, atMs) {
      const untilMs = atMs + Math.min(waitMs ?? 0, LONGEST_RETRY_AFTER_MS);
      if (status === 429) quietUntilMs = Math.max(quietUntilMs, untilMs);
      const asked = POLL.exec(path)?.[1];
      for (const id of [...requestIds, ...(asked === undefined || status === 429 ? [] : [asked])]) notBefore.set(id, untilMs);
    },
    forget() {
      notBefore.clear();
      quietUntilMs = 0;
    },
    excuse(requestIds) {
      for (const id of requestIds) notBefore.delete(id);
    },
    rest() {
      quietUntilMs = 0;
    },
  };
}
