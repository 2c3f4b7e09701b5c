import { spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import type { RunningCommand } from "../../tools/process.ts";
import { sendSignal } from "../../tools/process-tree.ts";

/** Who dies: the CLI (which is the engine), the process that runs the hooks, or the two and all that they started. */
export type Victim = "CLI" | "provider" | "both";

/** Waits until something is so. @throws Error after `limitMs` (default 60_000) */
export async function until(isSo: () => boolean, limitMs = 60_000): Promise<void> {
  const sinceMs = Date.now();
  while (!isSo()) {
    if (Date.now() - sinceMs > limitMs)
      throw new Error(`Cannot wait any longer for ${isSo.toString()}: ${limitMs} ms have passed`);
    await setTimeout(20);
  }
}

/** The processes of a running command that run this package's hooks. */
export function providersOf(command: RunningCommand): number[] {
  return command.descendants().filter((pid) => {
    const { stdout } = spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
    return /node.*dynamic-provider/.test(stdout);
  });
}

/** SIGKILL, which nobody can catch. Returns the result of the command when it has ended. */
export async function killNow(command: RunningCommand, victim: Victim): ReturnType<() => RunningCommand["done"]> {
  if (victim === "provider") for (const pid of providersOf(command)) sendSignal(pid, "SIGKILL");
  else if (victim === "CLI") command.kill();
  else {
    const others = command.descendants();
    command.kill();
    for (const pid of others) sendSignal(pid, "SIGKILL");
  }
  return command.done;
}
