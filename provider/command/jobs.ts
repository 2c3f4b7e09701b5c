import { parseArgs } from "node:util";
import type { Client } from "../client/client.ts";
import type { Job } from "../client/records.ts";
import { EXIT, type Io, UsageError } from "./io.ts";
import { json, printable } from "./printable.ts";
import { pullJob } from "./pull.ts";

/** One command with the arguments behind its name; gives what the process is to end with. */
type Command = (client: () => Client, args: string[], io: Io) => Promise<number>;

export const jobCommands: Readonly<Record<string, Command>> = {
  async list(client, args, io) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { org: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
    });
    if (positionals.length > 0) throw new UsageError(`Cannot use "${positionals[0]}": jobs list takes no arguments`);
    const jobs = await client().jobs.list({ includeOrg: values.org, signal: io.signal });
    io.out(values.json ? json(jobs) : tableOf(jobs));
    return EXIT.done;
  },
  async info(client, args, io) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean", default: false } },
    });
    const job = await client().jobs.get(onlyId(positionals, "info"), { signal: io.signal });
    const lines = Object.entries(job).flatMap(([key, value]) =>
      value === undefined ? [] : `${key}: ${shown(value)}\n`,
    );
    io.out(values.json ? json(job) : lines.join(""));
    return EXIT.done;
  },
  pull: pullJob,
  async cancel(client, args, io) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { timeout: { type: "string" }, json: { type: "boolean", default: false } },
    });
    const id = onlyId(positionals, "cancel");
    const timeoutS = values.timeout === undefined ? undefined : Number(values.timeout || Number.NaN);
    if (timeoutS !== undefined && !(timeoutS > 0)) {
      throw new UsageError(`Cannot use --timeout "${values.timeout}": expected a number of seconds above 0`);
    }
    const { outcome, job } = await client().jobs.cancel(id, {
      signal: io.signal,
      ...(timeoutS !== undefined && { timeoutMs: timeoutS * 1000 }),
      onProgress: ({ status }) => {
        if (io.isTerminal) io.err(`${printable(status)}\n`);
      },
    });
    const words =
      outcome === "cancelled"
        ? `job ${job.id} is cancelled\n`
        : `job ${job.id} had finished already: ${job.status ?? "unknown"}\n`;
    io.out(values.json ? json({ outcome, job }) : printable(words.trimEnd()).concat("\n"));
    return outcome === "cancelled" ? EXIT.done : EXIT.alreadyFinished;
  },
};

/** The one argument. @throws UsageError when there are none or more */
function onlyId(positionals: readonly string[], command: string): string {
  const [id, more] = positionals;
  if (id === undefined || id === "") throw new UsageError(`Cannot run jobs ${command}: the job's ID is missing`);
  if (more !== undefined) throw new UsageError(`Cannot use "${more}": jobs ${command} takes one ID`);
  return id;
}

function tableOf(jobs: readonly Job[]): string {
  if (jobs.length === 0) return "no jobs\n";
  const rows = jobs.map(({ id, status, instanceType, exitCode, message }) =>
    [id, status, instanceType, exitCode, message].map(shown),
  );
  const table = [["ID", "STATUS", "INSTANCE", "EXIT", "MESSAGE"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

function shown(value: string | number | undefined): string {
  return value === undefined ? "-" : printable(String(value));
}
