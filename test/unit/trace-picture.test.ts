import { expect, test } from "vitest";
import { tracePicture } from "../../tools/trace-picture.ts";
import type { Slice } from "../../tools/trace-slices.ts";

const slice = (row: string, name: string, atMs: number, endMs: number | undefined): Slice => ({
  row,
  name,
  depth: 0,
  atMs,
  endMs,
  args: {},
});

test("tracePicture() draws a bar for each slice, a row for each resource in order, and a pause across them all", () => {
  const picture = tracePicture([
    slice("cluster train-10", "create", 1_000, 9_000),
    slice("cluster train-2", "create", 1_000, undefined),
    slice("cluster train-2", "POST /cluster/create", 1_000, 1_001),
    slice("pauses (429)", "pause", 3_000, 5_000),
  ]);
  const bars = [...picture.matchAll(/<rect x="([\d.]+)" y="(\d+)" width="([\d.]+)" height="(\d+)"/g)].slice(5);
  expect(bars.map(([, ...numbers]) => numbers.map(Number))).toEqual([
    [267.5, 40, 157.5, 28],
    [110, 54, 630, 10],
    [110, 40, 630, 10],
    [110, 40, 2, 10],
  ]);
  expect([...picture.matchAll(/>(cluster [^<]*)</g)].map(([, name]) => name)).toEqual([
    "cluster train-2",
    "cluster train-10",
  ]);
});
