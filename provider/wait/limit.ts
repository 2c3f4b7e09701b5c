import { StoppedError } from "../errors.ts";
import type { Clock } from "./clock.ts";

export interface Limit {
  /** Ends waits, with a StoppedError as its reason. */
  readonly signal: AbortSignal;
  /** Ends them at once, as cancelled. */
  readonly stop: () => void;
  /** Must be called when the work is through. */
  readonly end: () => void;
}

/** A signal that ends waits after `limitMs`, or earlier when it is told to. */
export function startLimit(clock: Clock, limitMs: number): Limit {
  const stop = new AbortController();
  const ended = new AbortController();
  clock.sleep(limitMs, ended.signal).then(
    () => stop.abort(new StoppedError("limit", limitMs)),
    () => undefined,
  );
  return {
    signal: stop.signal,
    stop: () => stop.abort(new StoppedError("cancelled", limitMs)),
    end: () => ended.abort(),
  };
}
