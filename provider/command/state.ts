import { readFile } from "node:fs/promises";
import { isFields, parseFields, text } from "../json.ts";
import { parseState, type StackState } from "../take-over/state-file.ts";
import type { Io } from "./io.ts";

/** Reads an export of a stack's state; `-` is stdin. */
export async function stateIn(file: string, io: Io): Promise<StackState> {
  if (file === "-") return parseState(await io.input(), "stdin");
  return parseState(await readFile(file, "utf8").catch(cannotRead(file)), file);
}

function cannotRead(file: string): (cause: Error) => never {
  return (cause) => {
    const why = "code" in cause && cause.code === "ENOENT" ? "there is no such file" : cause.message;
    throw new Error(`Cannot read the state in ${file}: ${why}`, { cause });
  };
}

/**
 * Asks the Pulumi CLI for the state of the stack that is selected here, or of `stack`.
 * @throws Error that names the other way
 */
export async function stateOfStack(stack: string | undefined, io: Io): Promise<StackState> {
  const which = stack === undefined ? [] : ["--stack", stack];
  const args = ["stack", "export", ...which];
  try {
    const state = parseState(await io.pulumi(args), "the stack");
    return { ...state, urnStart: state.urnStart ?? urnStartIn(await io.pulumi(["about", "--json", ...which])) };
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : String(error);
    throw new Error(
      `Cannot read the stack's state with "pulumi ${args.join(" ")}": ${why}. Run this in the program's folder with a stack selected, or give the state with --stack-export FILE`,
      { cause: error },
    );
  }
}

/** An empty stack has no URN that would tell its name and its project's. */
function urnStartIn(about: string): string | undefined {
  const current = parseFields(about)?.["currentStack"];
  const [stack, project] =
    (isFields(current) ? text(current, "fullyQualifiedName") : undefined)?.split("/").reverse() ?? [];
  return stack && project && `urn:pulumi:${stack}::${project}`;
}
