import { isAbsolute, join, relative, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allSafeParts, safeParts } from "../../provider/client/download/safe-path.ts";

describe("safeParts()", () => {
  test.for([
    ["a.txt", ["a.txt"]],
    ["out/größe #1.txt", ["out", "größe #1.txt"]],
    ["./out//b", ["out", "b"]],
    ["..a/b..", ["..a", "b.."]],
    ["2026-01-01T10:00.log", ["2026-01-01T10:00.log"]],
  ] as const)("gives the parts when the path is %j", ([path, parts]) => {
    expect(safeParts(path, "linux")).toEqual(parts);
  });

  test.for([
    ["../a", "leaves the folder"],
    ["a/../../b", "leaves the folder"],
    ["a/..", "leaves the folder"],
    ["/etc/passwd", "is absolute"],
    ["//host/share", "is absolute"],
    ["C:\\Windows", "backslash"],
    ["C:/Windows", "names a drive"],
    ["c:a", "names a drive"],
    ["\\\\host\\share", "backslash"],
    ["..\\a", "backslash"],
    ["a\\..\\b", "backslash"],
    ["a\u0000b", "control characters"],
    ["a\nb", "control characters"],
    ["", "names no file"],
    [".", "names no file"],
    ["a/", "names no file"],
    ["a/.", "names no file"],
  ] as const)("refuses on every system %j", ([path, why]) => {
    for (const platform of ["linux", "darwin", "win32"] as const) expect(() => safeParts(path, platform)).toThrow(why);
  });

  test.for(["file:stream", "con", "out/NUL.txt", "com1", "COM¹", "lpt³.log", "nul .txt", "a.", "a /b", "a?b"])(
    "refuses on Windows %j",
    (path) => {
      expect(() => safeParts(path, "win32")).toThrow("Cannot download the file");
      expect(() => safeParts(path, "linux")).not.toThrow();
    },
  );

  test("stays in the folder when it takes a path at all", () => {
    const piece = fc.oneof(fc.constantFrom("..", ".", "/", "\\", "a", "C:", "", "~"), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        for (const path of [pieces.join("/"), pieces.join("")]) {
          let parts: string[];
          try {
            parts = safeParts(path, "linux");
          } catch {
            continue;
          }
          const way = relative("/folder", join("/folder", ...parts));
          expect(way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("allSafeParts()", () => {
  test("names every refused path", () => {
    expect(() => allSafeParts(["ok", "../a", "/b"])).toThrow(/"\.\.\/a".*"\/b".*Nothing was downloaded/);
  });

  test("refuses two paths that are one file", () => {
    expect(() => allSafeParts(["a/b", "a//b"], "linux")).toThrow('both "a/b" and "a//b"');
    expect(() => allSafeParts(["A", "a"], "linux")).not.toThrow();
    for (const platform of ["win32", "darwin"] as const)
      expect(() => allSafeParts(["A", "a"], platform)).toThrow("Cannot");
  });
});
