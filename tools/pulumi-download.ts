import { runCommand } from "./process.ts";
import { say } from "./say.ts";

/** The CLI is about 150 MB packed: ten minutes are enough for 2 Mbit/s; past that, Go is the faster way. */
const DOWNLOAD_LIMIT_MS = 600_000;

/**
 * Downloads the official CLI with its language hosts into `folder`.
 * @throws when the download fails or takes longer than ten minutes; at once when the host cannot be reached
 */
export async function downloadPulumi(version: string, folder: string): Promise<void> {
  say(`downloading the Pulumi CLI ${version} (about 1 minute)`);
  // In a process of its own: the Automation API's installer takes no time limit, and the shell and curl that it starts
  // end only when killed. Its first request gives up by itself after 10 s without a connection.
  const script = `
    import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
    import { createRequire } from "node:module";
    const semver = createRequire(import.meta.resolve("@pulumi/pulumi/package.json"))("semver");
    const [version, root] = process.argv.slice(1);
    await PulumiCommand.install({ version: semver.parse(version), root }).catch((error) => {
      console.error(error.message);
      process.exit(1);
    });`;
  const { code, output } = await runCommand(
    process.execPath,
    ["--input-type=module", "--eval", script, version, folder],
    { cwd: import.meta.dirname, timeoutMs: DOWNLOAD_LIMIT_MS },
  );
  if (code === 0) return;
  const reason = code === null ? `it took longer than ${DOWNLOAD_LIMIT_MS} ms` : lastLines(output);
  say(`cannot download it: ${reason}`);
  throw new Error(`Cannot download the Pulumi CLI ${version}: ${reason}`);
}

function lastLines(output: string): string {
  return output.trim().split("\n").slice(-3).join(" ");
}
