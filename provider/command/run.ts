import { clientAdvice } from "../client/advice.ts";
import { clientOf, coreOf } from "../client/client.ts";
import type { Core } from "../client/run.ts";
import { VERSION } from "../version.ts";
import { helpOf } from "./help.ts";
import { importObjects } from "./import.ts";
import { EXIT, failedCode, type Io, UsageError } from "./io.ts";
import { jobCommands } from "./jobs.ts";
import { orphans } from "./orphans.ts";
import { printableLines } from "./printable.ts";

/** A shell passes neither address nor key. */
const commandAdvice = { ...clientAdvice, address: "env TENSORPOOL_ENGINE", key: "env TENSORPOOL_KEY" };

/** Gives what the process is to end with. */
type Command = (core: () => Core, args: string[], io: Io) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(
    Object.entries(jobCommands).map(([name, command]): [string, Command] => [
      `jobs ${name}`,
      (core, args, io) => command(() => clientOf(core()), args, io),
    ]),
  ),
  import: importObjects,
  orphans: (core, args, io) => orphans(() => clientOf(core()), args, io),
};

/** Runs `pulumi-tensorpool` with these arguments; gives what the process is to end with. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const words = args[0] === "jobs" ? 2 : 1;
  const name = args.slice(0, words).join(" ");
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (isHelpWanted(args)) {
      io.out(helpOf(name));
      return EXIT.done;
    }
    if (args[0] === "--version") {
      io.out(`${VERSION}\n`);
      return EXIT.done;
    }
    if (command === undefined) throw new UsageError(unknown(args));
    return await command(() => coreOf({ env: io.env }, commandAdvice), args.slice(words), io);
  } catch (error) {
    if (isUsage(error)) {
      io.err(`${printableLines(error.message)}\nSee pulumi-tensorpool --help\n`);
      return EXIT.usage;
    }
    io.err(printableLines(wordsOf(error)));
    return io.signal.aborted ? EXIT.interrupted : failedCode(args);
  }
}

function isHelpWanted(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h") || args[0] === "help";
}

function unknown([group, name]: readonly string[]): string {
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
