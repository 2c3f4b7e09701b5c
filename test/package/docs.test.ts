import { expect, test } from "vitest";
import { runCommand } from "../../tools/process.ts";
import { REPOSITORY } from "./packed.ts";

test("npm run docs has nothing to complain of: links, and what is public and undocumented", async () => {
  const args = ["node_modules/typedoc/bin/typedoc", "--emit", "none"];
  const { code, output } = await runCommand(process.execPath, args, { cwd: REPOSITORY });
  expect(output).not.toMatch(/warning|error/);
  expect(code).toBe(0);
});
