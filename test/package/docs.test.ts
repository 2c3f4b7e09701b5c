import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../tools/process.ts";
import { REPOSITORY } from "./packed.ts";

test("npm run docs has nothing to complain of: links, what is public and undocumented, pages it cannot draw", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "docs-"));
  try {
    const args = ["node_modules/typedoc/bin/typedoc", "--out", folder];
    const { code, output } = await runCommand(process.execPath, args, { cwd: REPOSITORY });
    expect(output).not.toMatch(/warning|error/);
    expect(code).toBe(0);
    // By the names that programs import, and not by our folders.
    expect((await readdir(path.join(folder, "modules"))).sort()).toEqual([
      "pulumi-tensorpool.html",
      "pulumi-tensorpool_client.html",
      "pulumi-tensorpool_emulator.html",
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
