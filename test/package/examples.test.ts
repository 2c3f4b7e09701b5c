import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../tools/process.ts";
import { createProgram } from "../../tools/program.ts";
import { findPulumi } from "../../tools/pulumi.ts";
import { REPOSITORY } from "./packed.ts";

const EXAMPLES = path.join(REPOSITORY, "examples");
// The pipelines are no program; they have tests of their own.
const names = readdirSync(EXAMPLES).filter((name) => existsSync(path.join(EXAMPLES, name, "tsconfig.json")));

test("there are examples", () => {
  expect(names).toEqual(expect.arrayContaining(["quickstart", "training-cluster", "training-platform"]));
});

const manifests = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).filter(
  (file) => path.basename(file) === "package.json" && !file.includes("node_modules"),
);

test.for(manifests)("the example %s brings the compiler that its tsconfig.json is for", (file) => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(EXAMPLES, file), "utf8")) as Record<string, object>;
  // In a repository of its own Pulumi would take one of 2020, which knows no such options.
  expect(devDependencies).toMatchObject({ typescript: expect.any(String), "@types/node": expect.any(String) });
});

/** What the compiler has to say of a project; nothing when all is well. */
async function compile(folder: string): Promise<string> {
  const compiler = path.join(REPOSITORY, "node_modules/typescript/bin/tsc");
  const { output } = await runCommand(process.execPath, [compiler, "-p", ".", "--noEmit"], { cwd: folder });
  return output;
}

test.for(names)("the example %s compiles as a project of its own", async (name) => {
  expect(await compile(path.join(EXAMPLES, name))).toBe("");
});

test("the example training-platform passes its own tests, on the real CLI too", async () => {
  const pulumi = await findPulumi();
  const own = Object.entries(process.env).filter(([key]) => !/^(PULUMI|TENSORPOOL|VITEST)/i.test(key));
  const folders = [path.dirname(pulumi.path), path.dirname(process.execPath), process.env["PATH"]];
  const env = { ...Object.fromEntries(own), PATH: folders.join(path.delimiter) };
  const vitest = path.join(REPOSITORY, "node_modules/vitest/vitest.mjs");
  const cwd = path.join(EXAMPLES, "training-platform");
  const { code, output } = await runCommand(process.execPath, [vitest, "run"], { cwd, env, timeoutMs: 170_000 });
  expect(output).toMatch(/Test Files.*2 passed/);
  expect(code).toBe(0);
});

const readme = readFileSync(path.join(REPOSITORY, "README.md"), "utf8");
const programs = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ""]) => text);

test("the README has a program, functions, cost, the client, jobs, and how to test a program", () => {
  const firsts = [
    "new Cluster(",
    "getClusterOutput(",
    "estimateCost(",
    "tensorpool.clusters",
    "jobs.download(",
    "startEmulator(",
  ];
  expect(programs).toEqual(firsts.map((text) => expect.stringContaining(text)));
});

test.for([...programs.entries()])("the README's code block %i compiles", async ([, text]) => {
  await using program = await createProgram({ "index.ts": text });
  expect(await compile(program.folder)).toBe("");
});
