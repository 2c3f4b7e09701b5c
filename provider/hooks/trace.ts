import { AsyncLocalStorage } from "node:async_hooks";
import type { Transport } from "../api/transport.ts";
import type { Clock } from "../wait/clock.ts";
import { MOST_AT_ONCE } from "../wait/scheduler.ts";
import { type Args, traceFile } from "./trace-file.ts";

/** Shows what a run did when: names, paths, ids and times; no key, header or body. */
export interface Trace {
  /**
   * Does `work`, and shows it on the row of a resource, with the requests that it sends inside it.
   * @param id tells resources of the same name apart
   */
  operation<T>(resource: { id: string; name: string }, verb: string, work: () => Promise<T>): Promise<T>;
  /** The same transport; its requests are shown, with texts that have gone through `scrub`. */
  transport(send: Transport, scrub: (words: string) => string): Transport;
  /** Nothing is sent between these moments, in milliseconds since the epoch. */
  pause(fromMs: number, untilMs: number): void;
}

/** The lines of one resource. Requests at the same time need a line each: what shares one is drawn as nested. */
interface Row {
  readonly name: string;
  readonly firstLine: number;
  /** How many of its lines have a name by now. */
  lines: number;
  isWorking: boolean;
  /** What ends the request that is shown on a line now. */
  readonly ends: Map<number, (args: Args) => void>;
}

const NONE: Trace = {
  operation: (_resource, _verb, work) => work(),
  transport: (send) => send,
  pause: () => undefined,
};

/**
 * @param path of the file; undefined or empty: no trace
 * @param warn is told once when the file cannot be written
 */
export function startTrace(path: string | undefined, clock: Clock, warn: (message: string) => void): Trace {
  if (!path) return NONE;
  const file = traceFile(path, clock, warn);
  const rows = new Map<string, Row>();
  const current = new AsyncLocalStorage<Row>();

  function rowOf(id: string, name = id): Row {
    const known = rows.get(id);
    // What was left over by killed runs is deleted at the same time, under one URN.
    if (known?.isWorking) return rowOf(`${id} `, name);
    if (known !== undefined) return known;
    const row: Row = { name, firstLine: 1 + rows.size * MOST_AT_ONCE, lines: 1, isWorking: false, ends: new Map() };
    rows.set(id, row);
    file.name(row.firstLine, name);
    return row;
  }

  function freeLine(row: Row): number {
    let line = row.firstLine;
    while (row.ends.has(line)) line += 1;
    if (line === row.firstLine + row.lines) {
      row.lines += 1;
      file.name(line, row.name);
    }
    return line;
  }

  return {
    async operation({ id, name }, verb, work) {
      const row = rowOf(id, name);
      row.isWorking = true;
      const end = file.begin(row.firstLine, verb);
      let outcome = "done";
      try {
        return await current.run(row, work);
      } catch (error) {
        // Not the message: it may be long, and `pulumi up` shows it.
        outcome = error instanceof Error ? error.name : "failed";
        throw error;
      } finally {
        row.isWorking = false;
        // A list that others wait for too outlives who has asked for it: shown as far as it lies inside.
        for (const leave of row.ends.values()) leave({ outcome: "left to others" });
        end({ outcome });
      }
    },
    transport: (send, scrub) => async (request) => {
      const own = current.getStore();
      const row = own?.isWorking ? own : rowOf("others");
      const line = freeLine(row);
      const close = file.begin(line, `${request.method} ${request.route}`, {
        path: scrub(new URL(request.url).pathname),
      });
      const end = (more: Args): void => {
        if (row.ends.get(line) !== end) return;
        row.ends.delete(line);
        close(more);
      };
      row.ends.set(line, end);
      let args = {};
      try {
        const response = await send(request);
        args = { status: response.status, retryAfter: scrub(response.header("retry-after") ?? "") || undefined };
        return response;
      } catch (error) {
        args = { outcome: scrub(String(error)) };
        throw error;
      } finally {
        end(args);
      }
    },
    pause: (fromMs, untilMs) => file.span(rowOf("pauses (429)").firstLine, "pause", fromMs, untilMs),
  };
}
