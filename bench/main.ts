/**
 * `npm run bench`: measures this package beside what a user would write or run instead, prints one table and keeps it in
 * `results.json`. `--quick` takes less than 10 minutes; `--only MEASURE` measures one thing and keeps the other rows.
 */
import { loadavg } from "node:os";
import { inspect, parseArgs } from "node:util";
import { findPulumi } from "../tools/pulumi.ts";
import { chartOf } from "./chart.ts";
import { measureLag } from "./measures/lag.ts";
import { measurePlugin } from "./measures/plugin.ts";
import { measureProgram } from "./measures/program.ts";
import { measureRateLimit } from "./measures/rate-limit.ts";
import { measureLargest, measureStacks } from "./measures/stacks.ts";
import { measureVendor } from "./measures/vendor.ts";
import { FULL, type Plan, QUICK } from "./plan.ts";
import { merged, readResults, writeChart, writeResults } from "./results.ts";
import { type Measure, type Row, UNITS } from "./row.ts";
import { tableOf } from "./table.ts";

interface Group {
  readonly name: string;
  readonly measures: readonly Measure[];
  run(plan: Plan): Promise<Row[]>;
}

const LAG = ["lag-overhead-p50", "lag-overhead-p99", "early-polls", "requests-per-operation"] as const;

/** What is measured in one go. The order is that of the run: what a busy machine disturbs most comes first. */
const GROUPS: readonly Group[] = [
  { name: "program", measures: ["first-resource"], run: measureProgram },
  {
    name: "plugin",
    measures: ["plugin-start", "rss-per-1000-waits", "cpu-per-1000-waits", "event-loop-delay-p99"],
    run: (plan) => measurePlugin(plan),
  },
  { name: "lag", measures: LAG, run: measureLag },
  { name: "rate-limit", measures: ["rate-limited-up"], run: measureRateLimit },
  {
    name: "stacks",
    measures: ["up", "noop-up", "refresh", "refresh-requests", "destroy", "provider-bytes", "state-bytes"],
    run: measureStacks,
  },
  { name: "largest", measures: ["noop-up"], run: measureLargest },
  { name: "vendor", measures: [...LAG, "rss-per-1000-waits"], run: measureVendor },
];

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string", multiple: true } },
});
const { quick, only = [] } = values;
const names = [...Object.keys(UNITS), ...GROUPS.map(({ name }) => name)];
const unknown = only.find((name) => !names.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`Cannot measure "${unknown}": expected one of ${names.join(", ")}\n`);
  process.exit(2);
}

// Ends by `exit`, so that no process which it has started lives on.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await findPulumi();
const isWanted = ({ name, measures }: Group): boolean =>
  only.length === 0 || only.some((one) => one === name || measures.some((measure) => measure === one));
for (const group of GROUPS.filter(isWanted)) {
  const sinceMs = performance.now();
  const load = loadavg()[0]?.toFixed(1);
  let rows: Row[];
  try {
    rows = await group.run(quick ? QUICK : FULL);
  } catch (error) {
    // One group that cannot be measured here must not cost the others.
    process.stderr.write(`\n${group.name}: ${inspect(error)}\n`);
    process.exitCode = 1;
    continue;
  }
  // After each group, so that a run that is stopped has not been in vain.
  writeResults(merged(readResults(), rows));
  const seconds = Math.round((performance.now() - sinceMs) / 1_000);
  process.stdout.write(`\n${group.name}: ${seconds} s, load average ${load} at its start\n\n${tableOf(rows)}\n`);
}
writeChart(chartOf(readResults()));
process.stdout.write(`\nAll of results.json:\n\n${tableOf(readResults())}\n`);
process.exit();
