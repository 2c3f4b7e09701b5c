import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installWhole } from "./pulumi-install.ts";

let versions = "";
let root = "";

beforeEach(async () => {
  versions = await mkdtemp(path.join(tmpdir(), "install-whole-"));
  root = path.join(versions, "1.0.0");
});

afterEach(async () => {
  await rm(versions, { recursive: true, force: true });
});

function write(text: string): (folder: string) => Promise<void> {
  return async (folder) => writeFile(path.join(folder, "file"), text);
}

async function check(folder: string): Promise<void> {
  const text = await readFile(path.join(folder, "file"), "utf8");
  if (!text.startsWith("whole")) throw new Error("Cannot use it: it is broken");
}

test("installWhole() leaves nothing but the folder when two run at once", async () => {
  await Promise.all([installWhole(root, write("whole"), check), installWhole(root, write("whole"), check)]);
  expect(await readdir(versions)).toEqual(["1.0.0"]);
  await check(root);
});

test("installWhole() keeps what is whole already", async () => {
  await installWhole(root, write("whole: first"), check);
  await installWhole(root, write("whole: second"), check);
  expect(await readFile(path.join(root, "file"), "utf8")).toBe("whole: first");
});

test("installWhole() replaces what is broken", async () => {
  await mkdir(root);
  await write("half")(root);
  await installWhole(root, write("whole"), check);
  await expect(check(root)).resolves.toBeUndefined();
});

test("installWhole() leaves the folder as it was when the new one is broken", async () => {
  await expect(installWhole(root, write("half"), check)).rejects.toThrow("it is broken");
  expect(await readdir(versions)).toEqual([]);
});
