import { createHash, randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const NAME = /^\.pulumi-tensorpool-(?:([0-9a-f]{8})-(\d+)-)?[0-9a-f]{12}\.part$/;
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
/** A running download writes far more often. */
const ABANDONED_AFTER_MS = 86_400_000;

/** A name for a file that is not whole yet, which tells whose it is. */
export function partName(): string {
  return `.pulumi-tensorpool-${HOST}-${process.pid}-${randomBytes(6).toString("hex")}.part`;
}

/** Takes away what downloads that were killed have left in `folder`. What cannot be taken away stays. */
export async function sweepParts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (await isAbandoned(folder, name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const [whole, host, pid] = NAME.exec(name) ?? [];
  if (whole === undefined) return false;
  if (host === HOST && !isAlive(Number(pid))) return true;
  const written = await stat(join(folder, name)).catch(() => undefined);
  return written !== undefined && Date.now() - written.mtimeMs > ABANDONED_AFTER_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
