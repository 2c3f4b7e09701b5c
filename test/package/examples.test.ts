import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../tools/process.ts";
import { createProgram } from "../../tools/program.ts";
import { REPOSITORY } from "./packed.ts";

const EXAMPLES = path.join(REPOSITORY, "examples");
const names = readdirSync(EXAMPLES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== "node_modules" ? entry.name : [],
);

test("there are examples", () => {
  expect(names).toEqual(expect.arrayContaining(["quickstart", "training-cluster"]));
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

const readme = readFileSync(path.join(REPOSITORY, "README.md"), "utf8");
const programs = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ""]) => text);

test("the README has a program, the client, jobs, and how to test a program", () => {
  const firsts = ["new Cluster(", "tensorpool.clusters", "jobs.download(", "startEmulator("];
  expect(programs).toEqual(firsts.map((text) => expect.stringContaining(text)));
});

test.for([...programs.entries()])("the README's code block %i compiles", async ([, text]) => {
  await using program = await createProgram({ "index.ts": text });
  expect(await compile(program.folder)).toBe("");
});
