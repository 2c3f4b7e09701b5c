import { appendFileSync, statSync } from "node:fs";
import type { Clock } from "../wait/clock.ts";

export type Args = Readonly<Record<string, string | number | undefined>>;

/** A file of events that Perfetto and Chrome draw as slices on lines. */
export interface TraceFile {
  name(line: number, name: string): void;
  /**
   * @param args shown with the slice
   * @returns what ends it, with what is to be shown besides; what began later on this line must have ended before
   */
  begin(line: number, name: string, args?: Args): (args: Args) => void;
  /** @param fromMs in milliseconds since the epoch, and so is `untilMs` */
  span(line: number, name: string, fromMs: number, untilMs: number): void;
}

/**
 * Adds to the file at `path`, in Chrome's trace event format: an array that is never closed, which the format allows.
 * So a run that is killed leaves a file that opens, and several processes may add to one.
 * @param warn is told once when the file cannot be written; the run goes on without it
 */
export function traceFile(path: string, clock: Clock, warn: (message: string) => void): TraceFile {
  const { pid } = process;
  let isBroken = false;
  let start: string | undefined;

  function write(event: object): void {
    if (isBroken) return;
    try {
      start ??= statSync(path, { throwIfNoEntry: false })?.size ? "" : "[\n";
      appendFileSync(path, `${start}${JSON.stringify({ ...event, pid })},\n`);
      start = "";
    } catch (error) {
      isBroken = true;
      const why = error instanceof Error ? error.message : String(error);
      warn(`Cannot write the trace that TENSORPOOL_TRACE asks for: ${why}. The run goes on without it`);
    }
  }

  const us = (ms: number): number => Math.round(ms * 1000);
  return {
    name: (tid, name) => write({ ph: "M", tid, name: "thread_name", args: { name } }),
    begin(tid, name, args) {
      write({ ph: "B", tid, ts: us(clock.now()), name, args });
      // Not all viewers find by themselves what it is that ends.
      return (more) => write({ ph: "E", tid, ts: us(clock.now()), name, args: more });
    },
    span: (tid, name, fromMs, untilMs) => write({ ph: "X", tid, ts: us(fromMs), dur: us(untilMs) - us(fromMs), name }),
  };
}
