import { spawn } from "node:child_process";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Emulator, startEmulator } from "../emulator/index.ts";

const MAIN = join(import.meta.dirname, "../../provider/command/main.ts");
const STATE = join(import.meta.dirname, "../cli/fixtures/state-v1.json");
const ORPHANS = ["orphans", "--stack-export", STATE];
const JOBS = ["jobs", "list"];

/** Loaded before the command: something throws where nobody catches it. */
const STRAY = `process.on("newListener", (name) => {
  if (name === "SIGTERM") setImmediate(() => { throw new Error("stray \\u001b[2J"); });
});`;
/** A file of the package is missing, as after an install that broke off. */
const BROKEN = `import { registerHooks } from "node:module";
registerHooks({ resolve(name, context, next) {
  if (name.endsWith("take-over/orphans.ts")) throw new Error("stray file");
  return next(name, context);
} });`;

interface Ended {
  readonly code: number | null;
  readonly err: string;
}

function run(api: Emulator, args: readonly string[], before: string, stdout: "ignore" | number): Promise<Ended> {
  const env = { ...process.env, TENSORPOOL_KEY: "test-key", TENSORPOOL_ENGINE: api.url };
  const preload = `--import=data:text/javascript,${encodeURIComponent(before)}`;
  const child = spawn(process.execPath, [preload, MAIN, ...args], { env, stdio: ["ignore", stdout, "pipe"] });
  let err = "";
  child.stderr?.on("data", (piece) => void (err += piece));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, err })));
}

test.for([
  ["orphans", ORPHANS, STRAY, 4],
  ["jobs list", JOBS, STRAY, 1],
  ["orphans of an installation that is not whole", ORPHANS, BROKEN, 4],
] as const)(
  "a crash of %s ends with the code of a failure, and not with that of orphans",
  async ([, args, before, expected]) => {
    await using api = await startEmulator();
    const { code, err } = await run(api, args, before, "ignore");
    expect([code, err]).toEqual([expected, expect.stringContaining("Error: stray")]);
    expect(err).not.toContain("\u001b");
  },
);

test("orphans whose output cannot be written ends like a crash", async () => {
  await using api = await startEmulator();
  const folder = await mkdtemp(join(tmpdir(), "exit-"));
  try {
    // A file that is open for reading takes no output, on any system.
    await writeFile(join(folder, "read-only"), "");
    await using readOnly = await open(join(folder, "read-only"), "r");
    const { code, err } = await run(api, ORPHANS, "", readOnly.fd);
    expect([code, err]).toEqual([4, expect.stringMatching(/^Cannot write the output: E/)]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
