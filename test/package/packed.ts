import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CommandOptions, runCommand } from "../../tools/process.ts";

export const REPOSITORY: string = path.join(import.meta.dirname, "../..");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Our own package.json: what it promises is what the tests install. */
export const manifest: Manifest = JSON.parse(await readFile(path.join(REPOSITORY, "package.json"), "utf8"));

/** Runs a command and gives its stdout. @throws with all its words when it ends with another code than 0 */
export async function run(file: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, output } = await runCommand(file, args, { timeoutMs: 170_000, ...options });
  if (code !== 0) throw new Error(`Cannot run ${file} ${args.join(" ")}: it ends with ${code}\n${output}`);
  return stdout;
}

export interface Packed extends AsyncDisposable {
  /** The file that `npm publish` would send. */
  readonly tarball: string;
}

/** Packs what was built before the tests; the scripts that would build again are left out. */
export async function packPackage(): Promise<Packed> {
  const folder = await mkdtemp(path.join(tmpdir(), "packed-"));
  const name = await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: REPOSITORY,
  });
  return {
    tarball: path.join(folder, name.trim()),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
