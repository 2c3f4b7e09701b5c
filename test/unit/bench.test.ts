import { describe, expect, test } from "vitest";
import { chartOf } from "../../bench/chart.ts";
import { merged } from "../../bench/results.ts";
import { quantile, type Row, rowOf } from "../../bench/row.ts";
import { cellOf, tableOf } from "../../bench/table.ts";

const up = (subject: Row["subject"], ...values: (number | undefined)[]): Row =>
  rowOf({ measure: "up", subject, n: 10 }, values);

test.for([
  { values: [3], share: 0.5, expected: 3 },
  { values: [9, 1, 5], share: 0.5, expected: 5 },
  { values: [1, 2, 3, 4], share: 0.5, expected: 2.5 },
  { values: [0, 100], share: 0.99, expected: 99 },
])("the $share quantile of $values is $expected", ({ values, share, expected }) => {
  expect(quantile(values, share)).toBe(expected);
});

describe("rowOf", () => {
  test("sums up all runs", () => {
    expect(up("A", 3, 1, 2)).toEqual({
      measure: "up",
      subject: "A",
      n: 10,
      unit: "s",
      median: 2,
      min: 1,
      max: 3,
      runs: 3,
    });
  });

  test("has no median when a run failed", () => {
    expect(up("B", 3, undefined)).toMatchObject({ median: null, min: null, max: null, runs: 2 });
  });
});

describe("tableOf", () => {
  test("puts subjects side by side with their ratio to A", () => {
    const lines = tableOf([up("B", 4, 5, 6), up("A", 2, 2, 2)]).split("\n");
    expect(lines.map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "| measure | n | case | unit | A | B |",
      expect.stringMatching(/^\|( -+ \|)+$/),
      "| up | 10 | | s | 2 | 5 (4..6) 2.50x |",
    ]);
  });

  test.for([
    { row: up("B", undefined), cell: "failed" },
    { row: up("B", 3), cell: "3 1.50x" },
    { row: up("B", 0), cell: "0" },
  ])("shows $cell", ({ row, cell }) => {
    expect(cellOf(row, up("A", 2))).toBe(cell);
  });
});

test("merged replaces the rows that were measured again, and keeps the others", () => {
  const older = [up("A", 1), up("B", 2)];
  expect(merged(older, [up("A", 3)])).toEqual([up("A", 3), up("B", 2)]);
});

test("chartOf draws bars in proportion, and says which subject fails", () => {
  const of = (subject: Row["subject"], value?: number): Row => rowOf({ measure: "up", subject, n: 100 }, [value]);
  const svg = chartOf([of("A", 10), of("C", 40), of("B")]);
  const [ours, most, failed] = [...svg.matchAll(/width="([\d.]+)" height="13".*?>([^<]+)<\/text>/g)];
  expect(ours?.[2]).toBe("10 s");
  expect(Number(most?.[1])).toBe(4 * Number(ours?.[1]));
  expect(failed?.slice(1)).toEqual(["0.0", "fails"]);
});
