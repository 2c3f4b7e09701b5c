import { readFileSync } from "node:fs";

/** Resident memory in MB (Linux). */
export function residentMb(pid: number): number {
  const [, kB = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kB) / 1024;
}

/** Ticks in a second of /proc/<pid>/stat: the kernel's USER_HZ, 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU that a process has used so far (Linux). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold blanks; what follows it does not.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
