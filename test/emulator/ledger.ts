/** An object that costs money. */
export interface Billed {
  readonly kind: "cluster" | "volume";
  readonly id: string;
  readonly name: string;
}

/** A request that has arrived. */
export interface RequestEntry {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** 0 while there is no answer yet, and for ever when it was lost. */
  readonly status: number;
  /** When it arrived, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Whether it asks about a request, and came before the time that the server had asked to wait for. */
  readonly early: boolean;
}

/** What the emulator has seen and would write bills for. */
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
  /** When it was answered, in milliseconds since the epoch. */
  readonly atMs: number;
  /** The end of the answer's `Retry-After`, in milliseconds since the epoch; `undefined` when it has none. */
  readonly waitUntilMs: number | undefined;
  /** The requests that a 202 has told of. */
  readonly requestIds: readonly string[];
}

/**
 * A poll may be on the wire already when another request is answered 429: a client cannot have known, so only what
 * arrives later than this after the answer was told to wait.
 */
const ON_THE_WIRE_MS = 50;

/** Notes every request and whether it came before the time that the server had asked for. */
export function createJournal(): Journal {
  const entries: RequestEntry[] = [];
  const nextPollMs = new Map<string, number>();
  /** The times in which a 429 wants no polls. */
  let pauses: readonly { readonly fromMs: number; readonly untilMs: number }[] = [];

  function isEarly(pollOf: string, atMs: number): boolean {
    pauses = pauses.filter(({ untilMs }) => atMs < untilMs);
    return atMs < (nextPollMs.get(pollOf) ?? atMs) || pauses.some(({ fromMs }) => atMs > fromMs);
  }

  return {
    arrived({ method, path, atMs, pollOf }) {
      const index = entries.length;
      const early = pollOf !== undefined && isEarly(pollOf, atMs);
      entries.push({ method, path, status: 0, atMs, early });
      return ({ status, atMs: answeredAtMs, waitUntilMs, requestIds }) => {
        entries[index] = { method, path, status, atMs, early };
        const untilMs = waitUntilMs ?? Number.NEGATIVE_INFINITY;
        if (pollOf !== undefined) nextPollMs.set(pollOf, untilMs);
        for (const id of requestIds) nextPollMs.set(id, untilMs);
        if (status === 429) pauses = [...pauses, { fromMs: answeredAtMs + ON_THE_WIRE_MS, untilMs }];
      };
    },
    entries: () => [...entries],
  };
}
