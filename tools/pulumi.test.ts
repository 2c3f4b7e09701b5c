import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CommandResult, runCommand } from "./process.ts";

const HELPERS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
let home = "";
let bin = "";

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "find-pulumi-"));
  bin = path.join(home, "path");
  await mkdir(bin);
  await symlink("/bin/sh", path.join(bin, "sh"));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

/** Puts programs in place that answer with the version alone: which one is taken is all that is tested here. */
async function place(
  folder: string,
  version: string,
  files: readonly string[] = ["pulumi", ...HELPERS],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of files) {
    await writeFile(path.join(folder, name), `#!/bin/sh\necho v${version}\n`);
    await chmod(path.join(folder, name), 0o755);
  }
}

async function findPulumi(): Promise<CommandResult> {
  const env = { PATH: bin, HOME: home };
  return runCommand(process.execPath, [path.join(import.meta.dirname, "pulumi.ts")], { env });
}

function cache(): string {
  return path.join(home, ".pulumi", "versions", "3.258.0", "bin");
}

test("findPulumi() takes the CLI on PATH when it is new enough, without Go", async () => {
  await place(bin, "3.254.0");
  await place(cache(), "3.258.0");
  expect(await findPulumi()).toMatchObject({ code: 0, stdout: `${path.join(bin, "pulumi")}\n`, stderr: "" });
});

test("findPulumi() takes the cache when PATH has no CLI", async () => {
  await place(cache(), "3.258.0");
  expect(await findPulumi()).toMatchObject({ code: 0, stdout: `${path.join(cache(), "pulumi")}\n`, stderr: "" });
});

test.for([
  { what: "is too old", version: "3.253.9", files: ["pulumi", ...HELPERS] },
  { what: "is of another major version", version: "4.0.0", files: ["pulumi", ...HELPERS] },
  { what: "tells no version", version: "?", files: ["pulumi", ...HELPERS] },
  { what: "has no language host", version: "3.260.0", files: ["pulumi"] },
])("findPulumi() passes over a CLI on PATH that $what", async ({ version, files }) => {
  await place(bin, version, files);
  await place(cache(), "3.258.0");
  expect(await findPulumi()).toMatchObject({ code: 0, stdout: `${path.join(cache(), "pulumi")}\n` });
});
