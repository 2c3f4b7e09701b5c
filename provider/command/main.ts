#!/usr/bin/env node
import { execFile } from "node:child_process";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { EXIT } from "./io.ts";
import { run } from "./run.ts";

const LARGEST_STATE_BYTES = 1024 ** 3;

const stop = new AbortController();
// The first Ctrl-C ends waits and takes partial files away; a second one ends the process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
// What still runs when nobody takes its output is stopped as by Ctrl-C. Whoever reads a pipe may have seen enough.
process.stdout.on("error", (error) => {
  stop.abort();
  if ("code" in error && error.code === "EPIPE") return;
  process.stderr.write(`Cannot write the output: ${error.message}\n`);
  process.exitCode ||= EXIT.failed;
});
// Where even the errors cannot go, the exit code still tells.
process.stderr.on("error", () => undefined);

const code = await run(process.argv.slice(2), {
  env: process.env,
  platform: process.platform,
  isTerminal: process.stderr.isTTY === true,
  signal: stop.signal,
  input: () => text(addAbortSignal(stop.signal, process.stdin)),
  async pulumi(args) {
    const options = { maxBuffer: LARGEST_STATE_BYTES, signal: stop.signal };
    return (await promisify(execFile)("pulumi", [...args], options)).stdout;
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
process.exitCode ||= code;
