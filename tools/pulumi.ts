import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { runCommand } from "./process.ts";
import { downloadPulumi } from "./pulumi-download.ts";
import { buildPulumi } from "./pulumi-go.ts";
import { installWhole } from "./pulumi-install.ts";

export interface FoundPulumi {
  /** The CLI itself, `<root>/bin/pulumi`; the Node language host is beside it or on PATH. */
  readonly path: string;
  /** The folder that holds `bin`: what the Automation API's `PulumiCommand.get({ root })` takes. */
  readonly root: string;
  readonly version: string;
  readonly source: "path" | "cache" | "download" | "go";
}

/**
 * The lowest CLI on PATH that will do: 3.254.0 is the first whose `pulumi import --file` trusts the outputs in the file
 * (pulumi/pulumi#23984), without which a resource of a dynamic provider cannot be imported. 3.250 was seen to fail.
 */
const LOWEST_VERSION = "3.254.0";
const EXE = process.platform === "win32" ? ".exe" : "";

/**
 * Finds a Pulumi CLI that can run Node programs, and gets one when the machine has none: by the official download,
 * or where only package registries are reachable by building it with Go. Tells each step on stderr.
 * @throws when no way is open; the message lists each way and why it was closed
 */
export async function findPulumi(): Promise<FoundPulumi> {
  const version = pinnedVersion();
  // The folder of the Automation API: what it has installed we use, what we build it finds.
  const root = path.join(homedir(), ".pulumi", "versions", version);
  const ways: readonly { readonly source: FoundPulumi["source"]; readonly open: () => Promise<FoundPulumi> }[] = [
    { source: "path", open: () => usable(onPath(`pulumi${EXE}`), "path") },
    { source: "cache", open: () => usable(inRoot(root), "cache") },
    { source: "download", open: () => obtain("download", root, (folder) => downloadPulumi(version, folder)) },
    { source: "go", open: () => obtain("go", root, (folder) => buildPulumi(version, folder)) },
  ];
  const failures: string[] = [];
  for (const { source, open } of ways) {
    try {
      return await open();
    } catch (error) {
      failures.push(`- ${source}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `Cannot find the Pulumi CLI: no way to get one is open here\n${failures.join("\n")}\n` +
      `Install the CLI ${LOWEST_VERSION} or newer and put it on PATH (https://www.pulumi.com/docs/install/), ` +
      "or install Go (https://go.dev/dl/), and run the same command again.",
  );
}

async function obtain(
  source: "download" | "go",
  root: string,
  fill: (folder: string) => Promise<void>,
): Promise<FoundPulumi> {
  await installWhole(root, fill, async (folder) => usable(inRoot(folder), source));
  return usable(inRoot(root), source);
}

/** @throws when the CLI does not run, is too old, or has no Node language host: half an installation is none */
async function usable(file: string, source: FoundPulumi["source"]): Promise<FoundPulumi> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { code, stdout, output } = await runCommand(file, ["version"], { env, timeoutMs: 30_000 });
  if (code !== 0)
    throw new Error(`Cannot use "${file}": "pulumi version" fails: ${output.trim() || "no answer in 30 s"}`);
  const version = stdout.trim().replace(/^v/, "");
  if (!isAtLeast(version, LOWEST_VERSION)) {
    throw new Error(
      `Cannot use "${file}": it is version ${version}, needed is ${LOWEST_VERSION} or newer of version 3`,
    );
  }
  for (const helper of [`pulumi-language-nodejs${EXE}`, `pulumi-resource-pulumi-nodejs${EXE && ".cmd"}`]) {
    // The CLI looks on PATH and beside its own file, symbolic links followed.
    const beside = [path.dirname(file), path.dirname(realpathSync(file))];
    if (!beside.some((folder) => existsSync(path.join(folder, helper)))) onPath(helper);
  }
  return { path: file, root: path.dirname(path.dirname(file)), version, source };
}

/** @throws when no folder on PATH has the file */
function onPath(name: string): string {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    const file = path.resolve(folder, name);
    if (folder !== "" && existsSync(file)) return file;
  }
  throw new Error(`Cannot find "${name}": no folder on PATH has it`);
}

/** @throws when the installation is not there */
function inRoot(root: string): string {
  const file = path.join(root, "bin", `pulumi${EXE}`);
  if (!existsSync(file)) throw new Error(`Cannot find "${file}": there is no such file`);
  return file;
}

/** The version that is downloaded or built: go.mod is the only place that says it. */
function pinnedVersion(): string {
  const text = readFileSync(path.join(import.meta.dirname, "pulumi-cli", "go.mod"), "utf8");
  const version = /github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/.exec(text)?.[1];
  if (version === undefined)
    throw new Error('Cannot read the CLI\'s version from "tools/pulumi-cli/go.mod": none is there');
  return version;
}

function isAtLeast(version: string, lowest: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  const [lowestMajor = 0, lowestMinor = 0, lowestPatch = 0] = lowest.split(".").map(Number);
  return major === lowestMajor && (minor > lowestMinor || (minor === lowestMinor && patch >= lowestPatch));
}

if (import.meta.main) {
  try {
    console.log((await findPulumi()).path);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
