/** What is measured, and in which unit: the names that `results.json` has. */
export const UNITS = {
  "lag-overhead-p50": "ms",
  "lag-overhead-p99": "ms",
  "early-polls": "requests",
  "requests-per-operation": "requests",
  up: "s",
  "noop-up": "s",
  refresh: "s",
  "refresh-requests": "requests",
  destroy: "s",
  "first-resource": "ms",
  "plugin-start": "ms",
  "rss-per-1000-waits": "MB",
  "cpu-per-1000-waits": "percent of a core",
  "event-loop-delay-p99": "ms",
  "provider-bytes": "bytes",
  "state-bytes": "bytes",
  "rate-limited-up": "s",
} as const;

export type Measure = keyof typeof UNITS;

/**
 * A: this package. B: a hand-written dynamic provider. C: the same with p-retry. D: the vendor's client. E: the emptiest
 * possible dynamic resource, for the one comparison that asks for it.
 */
export type Subject = "A" | "B" | "C" | "D" | "E";

/** One line of `results.json`. */
export interface Row {
  readonly measure: Measure;
  readonly subject: Subject;
  /** Clusters. */
  readonly n: number;
  /** What `n` does not say. */
  readonly case?: string;
  readonly unit: (typeof UNITS)[Measure];
  /** `null` where the subject failed. */
  readonly median: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** How many values there are. */
  readonly runs: number;
}

/** What was measured, and on whom: all of a row but its values. */
export type Label = Pick<Row, "measure" | "subject" | "n" | "case">;

/** Sums up the values of all runs; one run that failed (`undefined`) makes the whole row a failure. */
export function rowOf(label: Label, values: readonly (number | undefined)[]): Row {
  const known = values.filter((value) => value !== undefined);
  const isWhole = known.length > 0 && known.length === values.length;
  return {
    ...label,
    unit: UNITS[label.measure],
    median: isWhole ? tidy(quantile(known, 0.5)) : null,
    min: isWhole ? tidy(Math.min(...known)) : null,
    max: isWhole ? tidy(Math.max(...known)) : null,
    runs: values.length,
  };
}

/** The value below which a `share` (0 to 1) of all lie, between two neighbours by their distance. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** More digits than these are noise. */
function tidy(value: number): number {
  return Number(value.toFixed(Math.abs(value) < 100 ? 2 : 0));
}

/** Rows are the same when they measure the same thing on the same subject. */
export function keyOf({ measure, subject, n, case: which }: Label): string {
  return JSON.stringify([measure, subject, n, which ?? ""]);
}
