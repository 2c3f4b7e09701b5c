import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";

const GIB = 2 ** 30;

/** The SHA-256 of the 2 GiB that the emulator makes up, computed once from `generatedBytes`. */
const HASH = "3775fcfb5822c17ffd7c844e3eef4870c2c449e1cf98d3470aca66229b554f91";

async function hashOfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), hash);
  return hash.digest("hex");
}

test("jobs.download() brings 2 GiB over three breaks, every byte right, and grows by 64 MiB at most", async () => {
  await using api = await startEmulator();
  const folder = await mkdtemp(join(tmpdir(), "big-download-"));
  try {
    const small = api.addJob({ outputs: { small: { bytes: 2 ** 22 } } });
    const breaksAt = [GIB / 2 + 1, GIB, GIB + 123_456_789];
    const big = api.addJob({ outputs: { big: { bytes: 2 * GIB, breaksAt } } });
    const env = { ...process.env, TENSORPOOL_KEY: "test-key", TENSORPOOL_ENGINE: api.url };
    const child = join(import.meta.dirname, "big-download.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [child, small, big, folder], { env });
    const { bytes, growthMib } = JSON.parse(stdout) as { bytes: number; growthMib: number };
    expect(bytes).toBe(2 * GIB);
    expect(growthMib).toBeLessThanOrEqual(64);
    expect((await readdir(folder)).sort()).toEqual(["big", "small"]);
    expect(await hashOfFile(join(folder, "big"))).toBe(HASH);
    const asked = api.ledger().requests.filter(({ path }) => path.includes("big"));
    expect(asked.map(({ status }) => status)).toEqual([200, 206, 206, 206]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
