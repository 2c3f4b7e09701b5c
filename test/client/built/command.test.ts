import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "../../package/packed.ts";

test("the command that package.json names is a program of its own", () => {
  const { bin } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as { bin: Record<string, string> };
  const file = join(REPOSITORY, bin["pulumi-tensorpool"] ?? "");
  expect(readFileSync(file, "utf8").split("\n", 1)).toEqual(["#!/usr/bin/env node"]);
  const help = execFileSync(process.execPath, [file, "jobs", "pull", "--help"], { encoding: "utf8", env: {} });
  expect(help).toContain("Usage: pulumi-tensorpool jobs pull ID [FOLDER]");
});
