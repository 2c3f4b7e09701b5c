/**
 * `npm run docs:safety [-- --only memory|host|kill]`: runs the trials and writes what they have come to into
 * docs/safety.md. Takes about ten minutes; with `--only` the other trials' results stay as they are on the page.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runCommand } from "./process.ts";
import { type Printed, printedOn, safetyPage, TRIALS } from "./safety-page.ts";
import { say } from "./say.ts";

const PAGE = new URL("../docs/safety.md", import.meta.url);
const { values } = parseArgs({ options: { only: { type: "string" } } });
const chosen = TRIALS.filter(({ key }) => values.only === undefined || key === values.only);
if (chosen.length === 0) {
  throw new RangeError(`Cannot use --only "${values.only}": expected ${TRIALS.map(({ key }) => key).join(", ")}`);
}

const none: Printed = { memory: "", host: "", kill: "" };
const before = await readFile(PAGE, "utf8").catch(() => safetyPage(none));
const printed: Record<keyof Printed, string> = { ...printedOn(before) };
for (const { key, title, command, args } of chosen) {
  say(`${title}: ${command}`);
  const cwd = new URL("..", import.meta.url).pathname;
  const { code, stdout, output } = await runCommand(process.execPath, args, { cwd });
  if (code !== 0) throw new Error(`Cannot write docs/safety.md: "${command}" ends with ${code}\n${output}`);
  const lines = stdout.trim().split("\n");
  printed[key] = lines.filter((line) => !line.startsWith("round ")).join("\n");
  say(lines.at(-1) ?? "");
}
await writeFile(PAGE, safetyPage(printed));
