import { spawnSync } from "node:child_process";

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** pid and start time: a pid alone may be used again by somebody else's process. */
  readonly key: string;
}

/**
 * Follows the processes that `root` starts, directly or not. The answer of the returned function is those alive now.
 * Call it before a parent dies too: its children are then handed to another parent, and only memory finds them.
 */
export function followProcessTree(root: number): () => number[] {
  const known = new Map<string, number>();
  const rootKey = listProcesses().find((process) => process.pid === root)?.key;
  return () => {
    const processes = listProcesses();
    const family = new Set(processes.filter(({ key }) => key === rootKey || known.has(key)).map(({ pid }) => pid));
    // ps lists by pid, so a child may come before its parent once the pids have wrapped round: repeat until stable.
    for (let size = -1; size !== family.size; ) {
      size = family.size;
      for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
    }
    for (const { pid, key } of processes) if (family.has(pid) && key !== rootKey) known.set(key, pid);
    return processes.filter(({ key }) => known.has(key)).map(({ pid }) => pid);
  };
}

/** Sends a signal to a process, or to a whole process group when `pid` is negative; one that is gone is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function listProcesses(): Process[] {
  // The state column drops zombies: they have ended, only nobody has asked for their exit code yet.
  const { stdout, error } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,stat=,lstart="], { encoding: "utf8" });
  if (error !== undefined) {
    throw new Error('Cannot list processes with "ps": install it (Debian: the package procps)', { cause: error });
  }
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, state = "Z", ...startedAt] = line.trim().split(/\s+/);
    return state.startsWith("Z")
      ? []
      : [{ pid: Number(pid), parent: Number(parent), key: `${pid} ${startedAt.join(" ")}` }];
  });
}
