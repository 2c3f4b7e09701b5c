import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { errorTexts, keyOf } from "../../tools/error-texts.ts";

const PAGE = new URL("../../docs/troubleshooting.md", import.meta.url);
const TEXTS = errorTexts();
const ROW = /^\| `(.*?)` \| (.*?) \|$/gm;

test("docs/troubleshooting.md has each error text of the package once, each with what to do, and no other", async () => {
  const rows = [...(await readFile(PAGE, "utf8")).matchAll(ROW)];
  const onPage = rows.map(([, key = ""]) => key).sort();
  const inSource = [...new Set(TEXTS.map(keyOf))].sort();
  expect(onPage).toEqual(inSource);
  for (const [, key, meaning = ""] of rows) expect(meaning.length, key).toBeGreaterThan(3);
});

test("errorTexts() follows constants, conditions, parameters, and functions of the package", () => {
  expect(TEXTS).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Cannot call the TensorPool API: no API key is set\. Set the env/),
      "Cannot wait any longer: it was cancelled",
      expect.stringMatching(/^Cannot use … …: expected …$/),
      expect.stringMatching(/^Cannot find … … although the API reports its create as COMPLETED/),
      expect.stringMatching(/^… before anything was sent/),
      expect.stringMatching(/^Top up the balance/),
    ]),
  );
});
