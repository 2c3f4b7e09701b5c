/** How much is measured. */
export interface Plan {
  /** Repeats of each measure. */
  readonly runs: number;
  /** Numbers of clusters that `up` and its like are measured with, for all subjects. */
  readonly counts: readonly number[];
  /** The one number for this package alone, once; 0 for none. */
  readonly largest: number;
  /** Operations at once, for each length and each Retry-After. */
  readonly operations: number;
  /** Whether the vendor's client, which knows no virtual time, is measured with the longest operation too. */
  readonly isLongVendorRun: boolean;
}

export const FULL: Plan = { runs: 5, counts: [1, 10, 100], largest: 500, operations: 20, isLongVendorRun: true };
export const QUICK: Plan = { runs: 1, counts: [100], largest: 0, operations: 10, isLongVendorRun: false };

/** Runs something several times, one after the other. */
export async function repeated<T>(runs: number, once: () => Promise<T>): Promise<T[]> {
  const values: T[] = [];
  for (let run = 0; run < runs; run += 1) values.push(await once());
  return values;
}
