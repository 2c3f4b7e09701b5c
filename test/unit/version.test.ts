import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../../provider/version.ts";

test("VERSION is that of package.json when the package is released", () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(manifest).toMatchObject({ version: VERSION });
});
