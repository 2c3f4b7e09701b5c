/** Run by its test in a process of its own: downloads one big job and prints what it took. */
import { createClient } from "pulumi-tensorpool/client";

const [small = "", big = "", folder = ""] = process.argv.slice(2);
const { jobs } = createClient();
// What the first download loads and reserves is no growth.
await jobs.download(small, folder);
globalThis.gc?.();
const beforeBytes = process.memoryUsage().rss;
let mostBytes = beforeBytes;
const look = (): void => {
  mostBytes = Math.max(mostBytes, process.memoryUsage().rss);
};
const timer = setInterval(look, 20);
const sinceMs = performance.now();
const { files } = await jobs.download(big, folder);
look();
clearInterval(timer);
process.stdout.write(
  JSON.stringify({
    bytes: files[0]?.bytes,
    growthMib: (mostBytes - beforeBytes) / 2 ** 20,
    seconds: (performance.now() - sinceMs) / 1_000,
  }),
);
