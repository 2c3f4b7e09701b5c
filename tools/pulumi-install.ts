import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";

/**
 * Makes the folder `root` appear whole or not at all: `fill` works in a temporary folder beside it, which is renamed.
 * Two processes at once both do the work, and the second one to finish keeps what the first one made.
 * @throws what `fill` throws, and what `check` throws about the result; `root` is then as it was
 */
export async function installWhole(
  root: string,
  fill: (folder: string) => Promise<void>,
  check: (folder: string) => Promise<unknown>,
): Promise<void> {
  await mkdir(path.dirname(root), { recursive: true });
  const temporary = await mkdtemp(path.join(path.dirname(root), ".unfinished-"));
  try {
    const fresh = path.join(temporary, "fresh");
    await mkdir(fresh);
    await fill(fresh);
    await check(fresh);
    if (await passes(check, root)) return;
    // What lies there is broken. Moving it away keeps a process alive that is just running from it.
    await rename(root, path.join(temporary, "broken")).catch(unlessCode("ENOENT"));
    // Another process may have renamed its own folder in between: as good as ours.
    await rename(fresh, root).catch(unlessCode("ENOTEMPTY", "EEXIST"));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function passes(check: (folder: string) => Promise<unknown>, folder: string): Promise<boolean> {
  try {
    await check(folder);
    return true;
  } catch {
    return false;
  }
}

function unlessCode(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (!codes.some((expected) => expected === code)) throw error;
  };
}
