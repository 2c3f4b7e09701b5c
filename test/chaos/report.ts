import type { RunResult } from "./run.ts";

/** What became of one run. */
export interface Report extends RunResult {
  /** Names of which two objects were paid for at one time. */
  readonly twins: readonly string[];
  readonly fired: Readonly<Record<string, number>>;
  readonly requests: number;
}

/** Why a run has failed; empty when it has not. */
export function faultsOf({ lost, twins, wrong, isConverged }: Report): string[] {
  return [
    ...lost.map((id) => `lost ${id}`),
    ...twins.map((name) => `bought twice: ${name}`),
    ...wrong.map((line) => line.split("\n")[0] ?? ""),
    ...(isConverged || lost.length > 0 ? [] : ["not converged"]),
  ];
}

/** The end of the output; its last line is what scripts read. */
export function summary(reports: readonly Report[], seed: number): string[] {
  const runs = (isSo: (report: Report) => boolean): number => reports.filter(isSo).length;
  const sum = (of: (report: Report) => number): number => reports.reduce((total, report) => total + of(report), 0);
  const others = runs(({ wrong }) => wrong.length > 0);
  return [
    `commands ${sum(({ commands }) => commands)}, requests ${sum(({ requests }) => requests)}`,
    `faults: ${listed(reports.map(({ fired }) => fired))}`,
    `kills and cancels: ${listed(reports.map(({ strikes }) => strikes))}`,
    ...(others > 0 ? [`runs with other violations: ${others}`] : []),
    [
      `runs ${reports.length}`,
      `lost ${runs(({ lost }) => lost.length > 0)}`,
      `bought twice ${runs(({ twins }) => twins.length > 0)}`,
      `not converged ${runs(({ isConverged, lost }) => !isConverged && lost.length === 0)}`,
      `seed ${seed}`,
    ].join(", "),
  ];
}

function listed(all: readonly Readonly<Record<string, number>>[]): string {
  const totals = new Map<string, number>();
  for (const counts of all) {
    for (const [kind, count] of Object.entries(counts)) totals.set(kind, (totals.get(kind) ?? 0) + count);
  }
  const kinds = [...totals].sort(([one], [other]) => one.localeCompare(other));
  return kinds.map(([kind, count]) => `${kind} ${count}`).join(", ");
}
