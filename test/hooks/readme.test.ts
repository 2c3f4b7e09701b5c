import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { faultTable } from "./fault-table.ts";

const README = new URL("../../README.md", import.meta.url);
const SECTION =
  /(<!-- faults: written by UPDATE_README=1 npm run test:readme -->\n\n)([\s\S]*?)(\n\n<!-- end of faults -->)/;

test("README.md shows what really happens when something goes wrong", async () => {
  const table = await faultTable();
  const readme = await readFile(README, "utf8");
  if (process.env["UPDATE_README"])
    await writeFile(
      README,
      readme.replace(SECTION, (_, head, __, tail) => head + table + tail),
    );
  expect(SECTION.exec(await readFile(README, "utf8"))?.[2]).toBe(table);
});
