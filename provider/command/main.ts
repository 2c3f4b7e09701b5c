#!/usr/bin/env node
import { execFile } from "node:child_process";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { inspect, promisify } from "node:util";
import { failedCode } from "./io.ts";
import { printableLines } from "./printable.ts";

const LARGEST_STATE_BYTES = 1024 ** 3;

const args = process.argv.slice(2);
// Node's own code for what nobody has caught means "there are orphans" here.
process.on("uncaughtException", (error) => {
  process.stderr.write(printableLines(`${inspect(error)}\n`), () => process.exit(failedCode(args)));
});
// From here on: also an installation that is not whole ends like this.
const { run } = await import("./run.ts");

const stop = new AbortController();
// The first Ctrl-C ends waits and takes partial files away; a second one ends the process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
// What still runs when nobody takes its output is stopped as by Ctrl-C. Whoever reads a pipe may have seen enough.
process.stdout.on("error", (error) => {
  stop.abort();
  if ("code" in error && error.code === "EPIPE") return;
  process.stderr.write(`Cannot write the output: ${error.message}\n`);
  process.exitCode ||= failedCode(args);
});
// Where even the errors cannot go, the exit code still tells.
process.stderr.on("error", () => undefined);

const code = await run(args, {
  env: process.env,
  platform: process.platform,
  isTerminal: process.stderr.isTTY === true,
  signal: stop.signal,
  input: () => text(addAbortSignal(stop.signal, process.stdin)),
  async pulumi(words) {
    const options = { maxBuffer: LARGEST_STATE_BYTES, signal: stop.signal };
    return (await promisify(execFile)("pulumi", [...words], options)).stdout;
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
process.exitCode ||= code;
