import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../tools/process.ts";
import { manifest, packPackage, REPOSITORY, run } from "./packed.ts";

let folder = "";
/** All files of the package by path, with their texts. */
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "unpacked-"));
  await using packed = await packPackage();
  await run("tar", ["-xzf", packed.tarball, "-C", folder]);
  const entries = await readdir(path.join(folder, "package"), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const read = async (file: string): Promise<[string, string]> => [
    path.relative(path.join(folder, "package"), file).replaceAll(path.sep, "/"),
    await readFile(file, "utf8"),
  ];
  files = new Map(await Promise.all(paths.map(read)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.for([
  "package.json",
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "ARCHITECTURE.md",
  "docs/troubleshooting.md",
  "docs/safety.md",
  "dist/provider/index.js",
  "dist/provider/index.d.ts",
  "dist/provider/hooks/index.js",
  "dist/provider/hooks/index.d.ts",
  "dist/test/emulator/index.js",
  "dist/test/emulator/index.d.ts",
  "provider/index.ts",
])("npm pack includes %s", (file) => {
  expect(files.get(file)?.length).toBeGreaterThan(0);
});

test("npm pack includes nothing but the build, its sources, the examples and the papers", () => {
  const allowed = [
    /^(dist\/)?(provider|test\/emulator)\//,
    /^(package\.json|LICENSE|[A-Z]+\.md|docs\/[a-z-]+\.(md|svg)|bench\/(README\.md|chart\.svg))$/,
    /^examples\/[\w/-]+(\.test)?\.(ts|json|yml|yaml|md)$|^examples\/[\w/-]+\/vitest\.config\.ts$/,
  ];
  expect([...files.keys()].filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
  expect([...files.keys()].filter((file) => /node_modules|Pulumi\.[^/]+\.yaml/.test(file))).toEqual([]);
});

test("npm pack includes what its papers link to", () => {
  const broken = [...files].flatMap(([file, text]) => {
    if (!file.endsWith(".md")) return [];
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => link);
    const targets = links.map((link) => path.posix.join(path.posix.dirname(file), link));
    return targets.filter((target) => !files.has(target)).map((target) => `${file}: ${target}`);
  });
  expect(broken).toEqual([]);
});

test("npm pack includes the source of every built file, so that debuggers and stack traces find it", () => {
  const maps = [...files].filter(([file]) => file.endsWith(".map"));
  const missing = maps.flatMap(([file, text]) => {
    const { sources } = JSON.parse(text) as { readonly sources: readonly string[] };
    return sources.filter((source) => !files.has(path.posix.join(path.posix.dirname(file), source)));
  });
  expect(maps.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test("npm pack includes nothing that was built from a source which is gone", () => {
  const built = [...files.keys()].filter((file) => /^dist\/.*\.js$/.test(file));
  expect(built.filter((file) => !existsSync(path.join(REPOSITORY, file.slice(5).replace(/js$/, "ts"))))).toEqual([]);
});

test("npm pack includes no word of the machine or the papers that it was made with", () => {
  const words = [REPOSITORY, "../shared", "/work/shared", tmpdir() + path.sep, "BEGIN OPENSSH PRIVATE KEY"];
  const found = [...files].filter(([, text]) => words.some((word) => text.includes(word)));
  expect(found.map(([file]) => file)).toEqual([]);
});

test("the packed package says its own version in its code", () => {
  expect(files.get("dist/provider/version.js")).toContain(`VERSION = "${manifest.version}"`);
});

test("the packed package runs no script when it is installed", () => {
  const { scripts } = JSON.parse(files.get("package.json") ?? "") as { readonly scripts: object };
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
});

test("npm publish has nothing to correct, and the command stays in the package", async () => {
  const args = [
    "publish",
    "--dry-run",
    "--ignore-scripts",
    "--registry",
    "http://127.0.0.1:1/",
    "--fetch-retries",
    "0",
  ];
  const { code, output } = await runCommand("npm", args, { cwd: REPOSITORY, timeoutMs: 170_000 });
  const warnings = output.split("\n").filter((line) => line.startsWith("npm warn publish"));
  expect([code, warnings]).toEqual([0, [expect.stringContaining("requires you to be logged in")]]);
});
