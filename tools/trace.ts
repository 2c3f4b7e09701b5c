/** `npm run docs:trace`: an `up` of 20 clusters with `TENSORPOOL_TRACE`, drawn into docs/trace.svg. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createStack } from "../test/cli/cli.ts";
import { startEmulator } from "../test/emulator/index.ts";
import { say } from "./say.ts";
import { tracePicture } from "./trace-picture.ts";
import { slicesOf } from "./trace-slices.ts";

const PICTURE = new URL("../docs/trace.svg", import.meta.url);

await using api = await startEmulator({
  operationSeconds: 12,
  retryAfterSeconds: 3,
  rateLimit: { perSecond: 10, burst: 20 },
});
await using stack = await createStack({
  program: path.join(import.meta.dirname, "../bench/subjects/package"),
  env: { TENSORPOOL_ENGINE: api.url, TENSORPOOL_KEY: "test-key", BENCH_CLUSTERS: "20" },
});
const file = path.join(stack.backend, "run.json");
await stack.up([], { check: true, env: { TENSORPOOL_TRACE: file } });
const trace = await readFile(file, "utf8");
await stack.destroy([], { check: true });
await writeFile(PICTURE, tracePicture(slicesOf(trace)));
say(`docs/trace.svg drawn from ${trace.length} bytes of events`);
