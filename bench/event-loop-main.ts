/**
 * Loaded into the process that is measured: at the first SIGUSR2 it begins to watch how late its event loop is, at the
 * second one it writes the 99th percentile, in milliseconds, to the file `BENCH_EVENT_LOOP`.
 */
import { writeFileSync } from "node:fs";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/** What is recorded holds the timer's own interval. */
const INTERVAL_MS = 10;
const file = process.env["BENCH_EVENT_LOOP"];
let delays: IntervalHistogram | undefined;

if (file !== undefined) {
  process.on("SIGUSR2", () => {
    if (delays === undefined) {
      delays = monitorEventLoopDelay({ resolution: INTERVAL_MS });
      delays.enable();
    } else writeFileSync(file, String(Math.max(0, delays.percentile(99) / 1e6 - INTERVAL_MS)));
  });
}
