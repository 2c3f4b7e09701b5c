/** `npm run docs:demo`: runs the demo as it is, and makes a moving picture of what it prints, docs/demo.svg. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runCommand } from "./process.ts";
import { say } from "./say.ts";

/** Is needed here alone, once in a while: so it is no dependency of the project. */
const PAINTER = "svg-term-cli@2.1.1";
const HEADER = { version: 2, width: 130, height: 36 };
/** Longer silences are cut to this. */
const LONGEST_SILENCE_S = 1.5;
/** The last picture stands so long before it begins anew. */
const END_S = 6;

const root = path.dirname(import.meta.dirname);
const picture = path.join(root, "docs/demo.svg");
await using cleanup = new AsyncDisposableStack();
const folder = await mkdtemp(path.join(tmpdir(), "demo-"));
cleanup.defer(async () => rm(folder, { recursive: true }));

const lines: unknown[] = [HEADER];
let seconds = 0;
let lastMs = Date.now();
const { code, output } = await runCommand(process.execPath, [path.join(root, "tools/demo.ts")], {
  cwd: root,
  env: { ...process.env, FORCE_COLOR: "1" },
  onOutput(text) {
    seconds += Math.min((Date.now() - lastMs) / 1000, LONGEST_SILENCE_S);
    lastMs = Date.now();
    lines.push([seconds, "o", text.replaceAll("\n", "\r\n")]);
  },
});
if (code !== 0) throw new Error(`Cannot record the demo: it ends with ${code}\n${output}`);
lines.push([seconds + END_S, "o", ""]);

const cast = path.join(folder, "demo.cast");
await writeFile(cast, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
const args = ["exec", "--yes", "--", PAINTER, "--in", cast, "--out", picture, "--window", "--no-cursor"];
const painted = await runCommand("npm", args, { cwd: folder });
if (painted.code !== 0)
  throw new Error(`Cannot paint the demo: ${PAINTER} ends with ${painted.code}\n${painted.output}`);
say(`docs/demo.svg shows ${Math.round(seconds)} seconds of the demo`);
