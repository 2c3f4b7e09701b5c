export interface Billed {
  readonly kind: "cluster" | "volume";
  readonly id: string;
  readonly name: string;
}

export interface RequestEntry {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** 0 while there is no answer yet, and for ever when it was lost. */
  readonly status: number;
  /** When it arrived, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Whether the client had been told to wait longer. */
  readonly early: boolean;
}

export interface Ledger {
  /** What is paid for now. */
  readonly billed: readonly Billed[];
  /** Every object there ever was. */
  readonly everBilled: readonly Billed[];
  /** Every request in the order of arrival. */
  readonly requests: readonly RequestEntry[];
}

export interface Journal {
  /** Notes a request; `pollOf` is the request id that it asks about. Returns how to note the answer. */
  arrived(request: Arrival): (answered: Answered) => void;
  entries(): RequestEntry[];
}

interface Arrival extends Pick<RequestEntry, "method" | "path" | "atMs"> {
  readonly pollOf: string | undefined;
}

interface Answered {
  readonly status: number;
  /** The end of the answer's `Retry-After`, in milliseconds since the epoch; `undefined` when it has none. */
  readonly waitUntilMs: number | undefined;
  /** The requests that a 202 has told of. */
  readonly requestIds: readonly string[];
}

/** Notes every request and whether it came before the time that the server had asked for. */
export function createJournal(): Journal {
  const entries: RequestEntry[] = [];
  const nextPollMs = new Map<string, number>();
  let quietUntilMs = Number.NEGATIVE_INFINITY;
  return {
    arrived({ method, path, atMs, pollOf }) {
      const index = entries.length;
      const early = atMs < quietUntilMs || (pollOf !== undefined && atMs < (nextPollMs.get(pollOf) ?? atMs));
      entries.push({ method, path, status: 0, atMs, early });
      return ({ status, waitUntilMs, requestIds }) => {
        entries[index] = { method, path, status, atMs, early };
        if (pollOf !== undefined) nextPollMs.set(pollOf, waitUntilMs ?? Number.NEGATIVE_INFINITY);
        for (const id of requestIds) nextPollMs.set(id, waitUntilMs ?? Number.NEGATIVE_INFINITY);
        if (status === 429) quietUntilMs = Math.max(quietUntilMs, waitUntilMs ?? quietUntilMs);
      };
    },
    entries: () => [...entries],
  };
}
