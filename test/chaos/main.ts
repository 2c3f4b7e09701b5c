/**
 * `npm run chaos -- --runs N --seed K [--host] [--only RUN] [--trace]`: random programs, commands, edits, faults, kills
 * and cancels. Ends with what was lost, bought twice or did not converge; README.md tells what is assumed.
 */
import { parseArgs } from "node:util";
import { createProgram } from "../../tools/program.ts";
import { faultsOf, type Report, summary } from "./report.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    host: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
  },
});
const seed = wholeNumber("seed", values.seed);
const only = values.only === undefined ? undefined : wholeNumber("only", values.only);
const runs = wholeNumber("runs", values.runs ?? (values.host ? "40" : "1000"));
const numbers = only === undefined ? Array.from({ length: runs }, (_, index) => index + 1) : [only];
/** Real processes wait more than they compute. */
const AT_ONCE = values.host ? 4 : 1;

const reports: Report[] = [];
const cleanUp = new AsyncDisposableStack();
const oneRun = values.host ? await hostRuns() : await memoryRuns();
await Promise.all(Array.from({ length: AT_ONCE }, work));
for (const line of summary(reports, seed)) console.log(line);
await cleanUp.disposeAsync();
// Sleepers of runs that are over must not keep it.
process.exit(reports.some((report) => faultsOf(report).length > 0) ? 1 : 0);

async function work(): Promise<void> {
  for (let run = numbers.shift(); run !== undefined; run = numbers.shift()) {
    const lines: string[] = [];
    const report = await oneRun(run, lines);
    reports.push(report);
    const why = faultsOf(report);
    if (why.length > 0 || values.trace) console.log([...lines, `run ${run}: ${why.join("; ") || "fine"}`].join("\n"));
    if (why.length > 0) console.log(`  npm run chaos -- ${values.host ? "--host " : ""}--seed ${seed} --only ${run}`);
  }
}

async function memoryRuns(): Promise<(run: number, lines: string[]) => Promise<Report>> {
  const [{ takeOverProcess }, { runInMemory }] = await Promise.all([import("./virtual.ts"), import("./memory-run.ts")]);
  takeOverProcess();
  return (run, lines) => runInMemory(seed, run, lines);
}

async function hostRuns(): Promise<(run: number, lines: string[]) => Promise<Report>> {
  const { runOnHosts } = await import("./host-run.ts");
  const { folder } = cleanUp.use(await createProgram({ "index.ts": "" }));
  return (run, lines) => runOnHosts(seed, run, lines, folder);
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new RangeError(`Cannot use --${name} "${text}": expected a whole number`);
}
