import { expect, test } from "vitest";
import { runCommand } from "../../tools/process.ts";

test("chaos with real hosts and SIGKILL loses nothing in 10 random runs", { timeout: 600_000 }, async () => {
  const args = [`${import.meta.dirname}/../chaos/main.ts`, "--host", "--runs", "10", "--seed", "1"];
  const { output, stdout, code } = await runCommand(process.execPath, args);
  expect(stdout.trim().split("\n").at(-1), output).toBe("runs 10, lost 0, bought twice 0, not converged 0, seed 1");
  expect(code, output).toBe(0);
});
