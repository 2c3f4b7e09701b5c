import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const MAIN = new URL("../emulator/main.ts", import.meta.url).pathname;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; `whenReady` gets the address that it prints, after which the command gets SIGTERM. */
function run(args: readonly string[], whenReady?: (url: string) => Promise<void>): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args]);
  let [stdout, stderr] = ["", ""];
  let ready: Promise<unknown> = Promise.resolve();
  child.stdout.on("data", (text: Buffer) => {
    stdout += text.toString();
    const [, url] = /^TENSORPOOL_ENGINE=(.+)\n/.exec(stdout) ?? [];
    if (url !== undefined && whenReady) ready = whenReady(url).finally(() => child.kill("SIGTERM"));
  });
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => void ready.then(() => resolve({ code, stdout, stderr }), reject));
  });
}

const statusOf = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/cluster/list`, { headers: { authorization: `Bearer ${key}` } })).status;

describe("npm run emulator", { timeout: 20_000 }, () => {
  test("prints its address and a key, knows test-key alone, and ends at SIGTERM", async () => {
    const statuses: number[] = [];
    const ended = await run(["--operation-seconds", "0.5", "--retry-after", "1.5"], async (url) => {
      statuses.push(await statusOf(url, "test-key"), await statusOf(url, "other"));
    });
    expect(statuses).toEqual([200, 401]);
    const settings = /^TENSORPOOL_ENGINE=http:\/\/127\.0\.0\.1:\d+\nTENSORPOOL_KEY=test-key\n$/;
    expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(settings) });
  });

  test("--key replaces test-key, and --faults strikes", async () => {
    const file = join(tmpdir(), `faults-${process.pid}.json`);
    await writeFile(file, JSON.stringify([{ kind: "status", status: 500 }]));
    const statuses: number[] = [];
    await run(["--key", "a", "--key", "b", "--faults", file], async (url) => {
      for (const key of ["test-key", "a", "b"]) statuses.push(await statusOf(url, key));
    });
    expect(statuses).toEqual([401, 500, 200]);
  });

  test.for([
    { args: ["--prot", "1"], says: "--prot" },
    { args: ["--port", "abc"], says: "--port" },
    { args: ["--retry-after", "soon"], says: "--retry-after" },
    { args: ["--operation-seconds=-1"], says: "--operation-seconds" },
    { args: ["--faults", "/nowhere.json"], says: "--faults" },
  ])("$args ends with exit code 2", async ({ args, says }) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(says);
  });

  test("--help ends with exit code 0", async () => {
    expect(await run(["--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("--operation-seconds") });
  });
});
