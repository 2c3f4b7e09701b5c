import { parseArgs } from "node:util";
import type { JobFiles } from "../api/wire.ts";
import type { Client } from "../client/client.ts";
import { createBar } from "./bar.ts";
import { EXIT, type Io, UsageError } from "./io.ts";
import { json, printable, printableLines, size } from "./printable.ts";

const SYSTEMS = { windows: "windows", linux: "linux", darwin: "darwin" } as const;
type System = keyof typeof SYSTEMS;

export async function pullJob(client: () => Client, args: string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "dry-run": { type: "boolean", default: false },
      overwrite: { type: "boolean", default: false },
      "at-once": { type: "string", default: "4" },
      system: { type: "string" },
      "private-key-path": { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const [id, folder = ".", more] = positionals;
  if (id === undefined || id === "") throw new UsageError("Cannot run jobs pull: the job's ID is missing");
  if (more !== undefined) throw new UsageError(`Cannot use "${more}": jobs pull takes an ID and a folder`);
  const atOnce = Number(values["at-once"] || Number.NaN);
  if (!Number.isSafeInteger(atOnce) || atOnce < 1) {
    throw new UsageError(`Cannot use --at-once "${values["at-once"]}": expected a whole number, 1 or more`);
  }
  const system = systemOf(values.system, io.platform);
  const keyPath = values["private-key-path"];
  const options = { signal: io.signal, ...(system && { system }), ...(keyPath && { privateKeyPath: keyPath }) };

  if (values["dry-run"]) {
    const files = await client().jobs.pull(id, { ...options, dryRun: true });
    const paths = Object.keys(files.downloadMap).map((path) => `${printable(path)}\n`);
    io.out(values.json ? json(files) : `${words(files)}${paths.join("")}`);
    return EXIT.done;
  }

  const bar = createBar(io);
  try {
    const result = await client().jobs.download(id, folder, {
      ...options,
      atOnce,
      overwrite: values.overwrite,
      onDownload(progress) {
        bar.show(progress);
        if (!progress.isDone || progress.isKept || values.json) return;
        bar.clear();
        io.out(`downloaded ${printable(progress.path)} (${size(progress.bytes)})\n`);
      },
    });
    bar.clear();
    const kept = result.files.filter(({ outcome }) => outcome === "kept");
    const lines = kept.map(({ path }) => `kept ${printable(path)}: it is there already (--overwrite replaces it)\n`);
    io.out(values.json ? json(result) : `${lines.join("")}${words(result)}`);
    return EXIT.done;
  } finally {
    bar.clear();
  }
}

/** What the server says, as data: its command is shown, and nobody runs it. */
function words({ message, command }: Pick<JobFiles, "message" | "command">): string {
  const said = message === "" ? "" : `${printableLines(message)}\n`;
  return command === null ? said : `${said}The API gives this command, which was not run:\n  ${printable(command)}\n`;
}

function systemOf(given: string | undefined, platform: NodeJS.Platform): System | undefined {
  const own = platform === "win32" ? "windows" : platform;
  const found = Object.values(SYSTEMS).find((one) => one === (given ?? own));
  if (given !== undefined && found === undefined) {
    throw new UsageError(`Cannot use --system "${given}": expected windows, linux or darwin`);
  }
  return found;
}
