import { LONGEST_RETRY_AFTER_MS } from "../../provider/wait/retry-after.ts";

/**
 * Watches from the client's side that nothing is asked before the time that the server has allowed: the server alone
 * cannot tell a request that was on its way already, or a process that died with what it had been told.
 */
export interface EarlyWatch {
  /** A new process: it knows what the state remembers. */
  process(): ProcessWatch;
  readonly early: string[];
}

/** What one process has been told. */
export interface ProcessWatch {
  sent(path: string, atMs: number): void;
  received(path: string, answer: Told, atMs: number): void;
  /** A delete or read has failed: the engine keeps nothing of what it was told of these requests. */
  excuse(requestIds: readonly string[]): void;
  /** It has ended in peace, so the state has it all; a killed one takes what it knows along. */
  rest(): void;
}

interface Told {
  readonly status: number;
  readonly waitMs: number | undefined;
  readonly requestIds: readonly string[];
}

const POLL = /^\/request\/info\/(.+)$/;
/** Times are compared as milliseconds with fractions. */
const SLACK_MS = 0.001;

export function watchEarly(found: (line: string) => void): EarlyWatch {
  const early: string[] = [];
  let remembered: ReadonlyMap<string, number> = new Map();

  function process(): ProcessWatch {
    const notBefore = new Map(remembered);
    // Until it has ended in peace, nobody can say what the state will have of it.
    remembered = new Map();
    let quietUntilMs = 0;
    return {
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
        const told = [...requestIds, ...(asked === undefined || status === 429 ? [] : [asked])];
        for (const id of told) notBefore.set(id, untilMs);
      },
      excuse(requestIds) {
        for (const id of requestIds) notBefore.delete(id);
      },
      rest() {
        remembered = notBefore;
      },
    };
  }

  return { process, early };
}
