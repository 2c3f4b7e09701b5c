import { spawn } from "node:child_process";
import { followProcessTree, sendSignal } from "./process-tree.ts";

export interface CommandOptions {
  readonly cwd?: string | undefined;
  /** The whole environment of the command. @default this process's own */
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds before the command's process group gets SIGKILL. @default no limit */
  readonly timeoutMs?: number;
  /** Called with each piece of stdout and stderr as it comes. */
  readonly onOutput?: (text: string) => void;
}

export interface CommandResult {
  /** Exit code; `null` when a signal ended the command or it could not be started. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout and stderr in the order in which they came. */
  readonly output: string;
}

export interface RunningCommand extends AsyncDisposable {
  readonly pid: number | undefined;
  /** Resolves when the command has ended, however it ended; never rejects. */
  readonly done: Promise<CommandResult>;
  /** What came on stdout and stderr so far. */
  output(): string;
  /**
   * Resolves when the output so far matches.
   * @throws when the command ends, or `timeoutMs` (default 60_000) pass, without
   */
  outputMatching(pattern: RegExp, timeoutMs?: number): Promise<void>;
  /** What Ctrl-C in a terminal does: SIGINT to the command's process group. */
  interrupt(): void;
  /** SIGKILL to the command alone: what it started lives on, as after a crash (see `descendants`). */
  kill(): void;
  /** The processes that the command started, directly or not, and that are alive now, the command's own end or not. */
  descendants(): number[];
}

/** Runs a command to its end. Never rejects: of a command that cannot be started, `output` tells the reason. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return startCommand(file, args, options).done;
}

/** Starts a command in a process group of its own (POSIX), so that Ctrl-C can be sent to it without hitting us. */
export function startCommand(
  file: string,
  args: readonly string[],
  { cwd, env = process.env, timeoutMs, onOutput }: CommandOptions = {},
): RunningCommand {
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const text = { stdout: "", stderr: "", output: "" };
  const changed = new Set<() => void>();
  let ended = false;

  const take = (stream: "stdout" | "stderr", piece: string): void => {
    text[stream] += piece;
    text.output += piece;
    onOutput?.(piece);
    for (const listener of changed) listener();
  };
  child.stdout.setEncoding("utf8").on("data", (piece: string) => take("stdout", piece));
  child.stderr.setEncoding("utf8").on("data", (piece: string) => take("stderr", piece));

  // Only when asked for: it takes a call of ps, which most commands do not need and not every machine has.
  let follow: (() => number[]) | undefined;
  const descendants = (): number[] => {
    if (child.pid !== undefined && !ended) follow ??= followProcessTree(child.pid);
    return follow?.() ?? [];
  };
  const killGroup = (): void => {
    if (child.pid !== undefined && !ended) sendSignal(-child.pid, "SIGKILL");
  };
  const killAll = (): void => {
    const pids = descendants();
    killGroup();
    for (const pid of pids) sendSignal(pid, "SIGKILL");
  };
  const limit = timeoutMs === undefined ? undefined : setTimeout(killGroup, timeoutMs);
  const done = new Promise<CommandResult>((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
      clearTimeout(limit);
      ended = true;
      for (const listener of changed) listener();
      resolve({ code, signal, ...text });
    };
    child.once("error", (error) => {
      take("stderr", `Cannot start "${file}": ${error.message}\n`);
      finish(null, null);
    });
    child.once("close", finish);
    // A process that outlives the command may hold the pipes open for ever: then "close" would never come.
    child.once("exit", () =>
      setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe.destroy()), 2_000).unref(),
    );
  });

  return {
    pid: child.pid,
    done,
    descendants,
    output: () => text.output,
    outputMatching: async (pattern, patienceMs = 60_000) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const fail = (why: string): void =>
        reject(new Error(`Cannot find ${pattern} in the output of "${file}": ${why}\n${text.output}`));
      const look = (): void => {
        if (pattern.test(text.output)) resolve();
        else if (ended) fail("the command has ended");
      };
      const patience = setTimeout(() => fail(`${patienceMs} ms have passed`), patienceMs);
      changed.add(look);
      look();
      await promise.finally(() => {
        clearTimeout(patience);
        changed.delete(look);
      });
    },
    interrupt: () => {
      descendants();
      if (child.pid !== undefined && !ended) sendSignal(-child.pid, "SIGINT");
    },
    kill: () => {
      descendants();
      child.kill("SIGKILL");
    },
    [Symbol.asyncDispose]: async () => {
      killAll();
      await done;
    },
  };
}
