import path from "node:path";
import { type CommandResult, runCommand } from "../../tools/process.ts";
import type { Stack } from "./cli.ts";

export const MAIN: string = path.join(import.meta.dirname, "../../dist/provider/command/main.js");

/** Runs the built `pulumi-tensorpool` in the program's folder, where it finds the stack's CLI and the API. */
export function runTensorpool({ folder, env }: Stack, args: readonly string[]): Promise<CommandResult> {
  return runCommand(process.execPath, [MAIN, ...args], { cwd: folder, env, timeoutMs: 60_000 });
}
