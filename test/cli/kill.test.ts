import { expect, test } from "vitest";
import { killRounds } from "./kill-rounds.ts";

test("kills and Ctrl-Cs at random moments lose nothing, buy nothing twice, and the next run converges", async () => {
  const lines: string[] = [];
  const result = await killRounds(8, 7, (line) => lines.push(line));
  expect({ ...result, lines }).toEqual({ ...result, rounds: 8, lost: 0, boughtTwice: 0, notConverged: 0, lines });
});
