import { expect, test } from "vitest";
import { runCommand } from "../../tools/process.ts";

const MAIN = `${import.meta.dirname}/main.ts`;

test("chaos loses nothing, buys nothing twice and converges in 200 random runs", { timeout: 300_000 }, async () => {
  const { output, stdout, code } = await runCommand(process.execPath, [MAIN, "--runs", "200", "--seed", "1"]);
  expect(stdout.trim().split("\n").at(-1), output).toBe("runs 200, lost 0, bought twice 0, not converged 0, seed 1");
  expect(code, output).toBe(0);
});

test("chaos repeats a run when it is given the same seed", { timeout: 60_000 }, async () => {
  const outputs = await Promise.all(
    [1, 2].map(() => runCommand(process.execPath, [MAIN, "--seed", "5", "--only", "3", "--trace"])),
  );
  const [one, other] = outputs.map(({ stdout }) => stdout.replaceAll(SEEDED, "(seeded)"));
  expect(one).toBe(other);
  expect(one).toContain("runs 1, lost 0");
});

/** The Seed's own value and the names made with it are really random. */
const SEEDED = /\b[0-9a-f]{12}\b|-[0-9a-f]{14}\b/g;
