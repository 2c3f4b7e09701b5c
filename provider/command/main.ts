#!/usr/bin/env node
import { execFile } from "node:child_process";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { run } from "./run.ts";

const LARGEST_STATE_BYTES = 1024 ** 3;

const stop = new AbortController();
// The first Ctrl-C ends waits and takes partial files away; a second one ends the process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
// Whoever reads the output may have seen enough.
process.stdout.on("error", () => process.exit());

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  platform: process.platform,
  isTerminal: process.stderr.isTTY === true,
  signal: stop.signal,
  input: () => text(process.stdin),
  async pulumi(args) {
    const options = { maxBuffer: LARGEST_STATE_BYTES, signal: stop.signal };
    return (await promisify(execFile)("pulumi", [...args], options)).stdout;
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
