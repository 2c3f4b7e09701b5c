import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { printedOn, safetyPage } from "../../tools/safety-page.ts";

const page = await readFile(new URL("../../docs/safety.md", import.meta.url), "utf8");

test("docs/safety.md is what npm run docs:safety makes of what the trials have printed", () => {
  expect(safetyPage(printedOn(page))).toBe(page);
});

test("docs/safety.md is of trials that have lost nothing, bought nothing twice, and converged", () => {
  expect([...page.matchAll(/^\| .* \| [1-9][\d,]* \| 0 \| 0 \| 0 \|$/gm)]).toHaveLength(3);
  for (const [key, text] of Object.entries(printedOn(page))) {
    expect(text, key).toMatch(/^(runs|rounds) [1-9]\d*, lost 0, bought twice 0, not converged 0, seed \d+$/m);
    expect(text, key).toMatch(/^kills and cancels: .*[1-9]/m);
  }
});
