import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "../tools/process.ts";

const VERSION = "0.0.9";
/** Of bench alone; tools and `npm ci` leave it alone or take it away whole. */
const CACHE = path.join(import.meta.dirname, "../node_modules/.cache/pulumi-tensorpool-bench");
const VENV = path.join(CACHE, `tensorpool-${VERSION}`);
const TP = path.join(VENV, "bin", "tp");

/** Subject D: the vendor's own client. */
export interface VendorClient {
  /** Arguments of the command that creates a cluster and waits for it. */
  command(name: string): [file: string, args: string[]];
}

/**
 * Installs the vendor's client from PyPI into a venv of its own, once.
 * @throws Error where Python, venv or PyPI cannot be had
 */
export async function vendorClient(): Promise<VendorClient> {
  await mkdir(CACHE, { recursive: true });
  const keyFile = path.join(CACHE, "id.pub");
  await writeFile(keyFile, `ssh-ed25519 ${"A".repeat(68)} me@laptop\n`);
  if (!existsSync(TP)) await install();
  return {
    command: (name) => [TP, ["cluster", "create", "1xH100", "--public-key", keyFile, "--name", name, "--wait"]],
  };
}

async function install(): Promise<void> {
  const steps: [string, string[]][] = [
    ["python3", ["-m", "venv", VENV]],
    [path.join(VENV, "bin", "pip"), ["install", "--quiet", `tensorpool==${VERSION}`]],
  ];
  for (const [file, args] of steps) {
    const { code, output } = await runCommand(file, args, { timeoutMs: 180_000 });
    if (code === 0) continue;
    await rm(VENV, { recursive: true, force: true });
    throw new Error(`Cannot run "${file} ${args.join(" ")}": ${output.trim().split("\n").at(-1)}`);
  }
}
