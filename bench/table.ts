import { type Measure, type Row, type Subject, UNITS } from "./row.ts";

/** One line for each measure, n and case; the subjects side by side, each with its ratio to A. */
export function tableOf(rows: readonly Row[]): string {
  const subjects = [...new Set(rows.map(({ subject }) => subject))].sort();
  const head = ["measure", "n", "case", "unit", ...subjects];
  const lines = groups(rows).map((group) => lineOf(group, subjects));
  return markdown([head, ...lines]);
}

function groups(rows: readonly Row[]): Row[][] {
  const order = Object.keys(UNITS);
  const byKey = Map.groupBy(rows, ({ measure, n, case: which }) => JSON.stringify([measure, n, which]));
  const rank = ({ measure }: { measure: Measure }): number => order.indexOf(measure);
  return [...byKey.values()].sort(([a], [b]) => (a && b ? rank(a) - rank(b) : 0));
}

function lineOf(group: readonly Row[], subjects: readonly Subject[]): string[] {
  const [first] = group;
  const ours = group.find(({ subject }) => subject === "A");
  const cells = subjects.map((subject) => {
    const row = group.find((one) => one.subject === subject);
    return row === undefined ? "" : cellOf(row, ours);
  });
  return [first?.measure ?? "", String(first?.n ?? ""), first?.case ?? "", first?.unit ?? "", ...cells];
}

/** The median, the spread where there was more than one run, and how many times A's median it is. */
export function cellOf(row: Row, ours: Row | undefined): string {
  if (row.median === null) return "failed";
  const spread = row.runs > 1 && row.min !== row.max ? ` (${row.min}..${row.max})` : "";
  const isComparable = ours !== undefined && ours !== row && ours.median !== null && ours.median > 0 && row.median > 0;
  const ratio = isComparable ? ` ${(row.median / (ours.median ?? 1)).toFixed(2)}x` : "";
  return `${row.median}${spread}${ratio}`;
}

/** A Markdown table whose columns line up. */
function markdown(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) => `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [padded[0], rule, ...padded.slice(1)].join("\n");
}
