import { describe, expect, test } from "vitest";
import { lineOf } from "../../provider/command/bar.ts";
import { json, printable, size } from "../../provider/command/printable.ts";

describe("lineOf()", () => {
  const file = { path: "a", bytes: 0, totalBytes: undefined, isDone: false, isKept: false, files: 4 };
  test.for([
    [[file], 1, "[------------------------]   0%  0 of 4 files  0 B  0 B/s"],
    [
      [{ ...file, bytes: 1_500_000, totalBytes: 3_000_000 }],
      5,
      "[###---------------------]  12%  0 of 4 files  1.5 MB  300.0 kB/s",
    ],
    [
      [
        { ...file, bytes: 10, totalBytes: 10, isDone: true },
        { ...file, path: "b", bytes: 0, totalBytes: undefined, isDone: true, isKept: true },
      ],
      1,
      "[############------------]  50%  2 of 4 files  10 B  10 B/s",
    ],
  ] as const)("shows %j after %d s", ([files, seconds, line]) => {
    expect(lineOf(files, seconds)).toBe(line);
  });
});

test.for([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [2_147_483_648, "2.1 GB"],
  [5e15, "5000.0 TB"],
] as const)("size() of %d is %s", ([bytes, text]) => {
  expect(size(bytes)).toBe(text);
});

test("printable() escapes what a terminal would act on and nothing else", () => {
  expect(printable("größe \\ \"x\" 'y' 😀")).toBe("größe \\ \"x\" 'y' 😀");
  expect(printable("\u0007\u007f\u0085\u200b\u2066\u2028\u{e0001}")).toBe(
    "\\u0007\\u007f\\u0085\\u200b\\u2066\\u2028\\udb40\\udc01",
  );
  expect(JSON.parse(json({ "\u202e": "\u009b\u{e0001}" }))).toEqual({ "\u202e": "\u009b\u{e0001}" });
});
