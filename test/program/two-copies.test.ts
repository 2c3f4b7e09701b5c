import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import * as first from "pulumi-tensorpool";
import { expect, test } from "vitest";
import { runProgram, SEED } from "./program.ts";

const REPOSITORY = path.join(import.meta.dirname, "../..");

/** The built package a second time, as a library that brings a copy of its own would load it beside ours. */
async function secondCopy(): Promise<AsyncDisposable & { readonly copy: typeof first }> {
  const folder = await mkdtemp(path.join(tmpdir(), "second-copy-"));
  for (const part of ["dist", "provider"])
    await cp(path.join(REPOSITORY, part), path.join(folder, part), { recursive: true });
  await cp(path.join(REPOSITORY, "package.json"), path.join(folder, "package.json"));
  await symlink(path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules"), "junction");
  const url = pathToFileURL(path.join(folder, "dist/provider/index.js")).href;
  const copy = (await import(/* @vite-ignore */ url)) as typeof first;
  return { copy, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

test("two copies of the package in one program register one Seed between them", async () => {
  await using second = await secondCopy();
  expect(second.copy.StorageVolume).not.toBe(first.StorageVolume);
  const { registrations, named } = await runProgram(() => {
    new first.StorageVolume("ours", { sizeGb: 1 });
    new second.copy.StorageVolume("theirs", { sizeGb: 1 });
  });
  expect(registrations.map(({ name }) => name).sort()).toEqual(["ours", "tensorpool-seed", "theirs"]);
  expect([named("ours").inputs["__seed"], named("theirs").inputs["__seed"]]).toEqual([SEED, SEED]);
});
