import { createClient } from "../client/client.ts";
import { helpOf } from "./help.ts";
import { EXIT, type Io, UsageError } from "./io.ts";
import { jobCommands } from "./jobs.ts";
import { printableLines } from "./printable.ts";

/** Runs `pulumi-tensorpool` with these arguments; gives what the process is to end with. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [group, name, ...rest] = args;
  try {
    const isHelp = isHelpWanted(args);
    const command = group === "jobs" && name !== undefined ? own(jobCommands, name) : undefined;
    if (isHelp) {
      io.out(helpOf(command === undefined ? undefined : name));
      return EXIT.done;
    }
    if (command === undefined) throw new UsageError(unknown(group, name));
    return await command(() => createClient({ env: io.env }), rest, io);
  } catch (error) {
    if (isUsage(error)) {
      io.err(`${printableLines(error.message)}\nSee pulumi-tensorpool --help\n`);
      return EXIT.usage;
    }
    io.err(printableLines(wordsOf(error)));
    return io.signal.aborted ? EXIT.interrupted : EXIT.failed;
  }
}

function isHelpWanted(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h") || args[0] === "help";
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function unknown(group: string | undefined, name: string | undefined): string {
  if (group === undefined) return "Cannot run pulumi-tensorpool: a command is missing";
  if (group !== "jobs") return `Cannot run "${group}": there is no such command`;
  const commands = Object.keys(jobCommands).join(", ");
  return name === undefined
    ? `Cannot run jobs: expected one of ${commands}`
    : `Cannot run "jobs ${name}": expected one of ${commands}`;
}

/** Node's own parser throws errors with a code of this form. */
function isUsage(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}

function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, ...others] = error instanceof AggregateError ? error.errors : [];
  return [message, ...others.map((one: unknown) => `  also: ${wordsOf(one).trimEnd()}`)].join("\n").concat("\n");
}
