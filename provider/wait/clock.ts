/** Time as everything in this package sees it; tests put a virtual one in its place. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds.
   * @throws the signal's reason at once when `signal` is or gets aborted
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
