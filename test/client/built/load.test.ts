import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const CODE = `const sinceMs = performance.now();
await import("pulumi-tensorpool/client");
process.stdout.write(String(performance.now() - sinceMs));`;

test("pulumi-tensorpool/client loads within 120 ms", () => {
  // The quickest of a few: other work on the machine only ever makes it slower.
  const tries = Array.from({ length: 5 }, () =>
    Number(execFileSync(process.execPath, ["--input-type=module", "--eval", CODE], { cwd: import.meta.dirname })),
  );
  expect(Math.min(...tries)).toBeLessThan(120);
});
