import { parseArgs } from "node:util";
import { createDice, seedOf } from "./dice.ts";
import { watchEarly } from "./early.ts";
import { memoryStage } from "./memory-stage.ts";
import { createAuthor } from "./programs.ts";
import { play, type RunResult } from "./run.ts";
import { createServer } from "./server.ts";
import { randomSettings } from "./settings.ts";
import type { StrikeKind } from "./strikes.ts";
import { startTime, takeOverProcess } from "./virtual.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    trace: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const first = values.only === undefined ? 1 : Number(values.only);
const last = values.only === undefined ? Number(values.runs) : first;

const rejections: string[] = [];
process.on("unhandledRejection", (reason) => {
  rejections.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
});
takeOverProcess();

interface Report extends RunResult {
  readonly twins: readonly string[];
  readonly wrong: readonly string[];
  readonly fired: Readonly<Record<string, number>>;
  readonly requests: number;
}

async function oneRun(run: number, lines: string[]): Promise<Report> {
  const clock = startTime(seedOf(seed, run, "chance"));
  const startMs = clock.now();
  const trace = (line: string): void => {
    lines.push(`${((clock.now() - startMs) / 1000).toFixed(3).padStart(10)} ${line}`);
  };
  const settings = randomSettings(createDice(seedOf(seed, run, "settings")));
  trace(JSON.stringify(settings));
  const server = createServer({ ...settings, seed: seedOf(seed, run, "emulator"), clock });
  const watch = watchEarly((line) => trace(`!!! ${line}`));
  const stage = memoryStage({ server, clock, dice: createDice(seedOf(seed, run, "wire")), watch, trace });
  const author = createAuthor(createDice(seedOf(seed, run, "program")));
  for (const one of author.program()) trace(JSON.stringify(one));
  const dice = createDice(seedOf(seed, run, "story"));
  rejections.length = 0;
  const [mayBeUnlisted, mayBeHidden] = [dice.chance(0.4), dice.chance(0.3)];
  const failed: RunResult = { commands: 0, strikes: NO_STRIKES, lost: [], wrong: [], isConverged: false };
  const result = await play({
    stage,
    author,
    dice,
    mayBeUnlisted,
    mayBeHidden,
    longestMs: 900_000,
    patienceMs: 1_500_000,
    trace,
  }).catch((error: unknown) => {
    trace(`!!! ${error instanceof Error ? error.stack : String(error)}`);
    return failed;
  });
  for (const line of rejections) trace(`!!! ${line}`);
  return {
    ...result,
    wrong: [...result.wrong, ...watch.early, ...rejections],
    twins: [...server.twins],
    fired: server.fired(),
    requests: server.requests(),
  };
}

const NO_STRIKES: Readonly<Record<StrikeKind, number>> = { "kill both": 0, orphan: 0, "kill provider": 0, cancel: 0 };

const totals = { lost: 0, twins: 0, stuck: 0, wrong: 0, commands: 0, requests: 0 };
const fired: Record<string, number> = {};
const strikes: Record<string, number> = {};
const add = (to: Record<string, number>, from: Readonly<Record<string, number>>): void => {
  for (const [key, count] of Object.entries(from)) to[key] = (to[key] ?? 0) + count;
};

for (let run = first; run <= last; run += 1) {
  const lines: string[] = [];
  const report = await oneRun(run, lines);
  totals.lost += report.lost.length > 0 ? 1 : 0;
  totals.twins += report.twins.length > 0 ? 1 : 0;
  totals.stuck += report.isConverged || report.lost.length > 0 ? 0 : 1;
  totals.wrong += report.wrong.length > 0 ? 1 : 0;
  totals.commands += report.commands;
  totals.requests += report.requests;
  add(fired, report.fired);
  add(strikes, report.strikes);
  const isBad = report.lost.length + report.twins.length + report.wrong.length > 0 || !report.isConverged;
  if (isBad || values.trace) {
    if (values.only !== undefined) console.log(lines.join("\n"));
    const why = [
      ...report.lost.map((id) => `lost ${id}`),
      ...report.twins.map((name) => `bought twice: ${name}`),
      ...report.wrong.map((line) => line.split("\n")[0] ?? ""),
      ...(report.isConverged ? [] : ["not converged"]),
    ];
    console.log(`run ${run}: ${why.join("; ")}`);
    if (isBad) console.log(`  npm run chaos -- --seed ${seed} --only ${run}`);
  }
}

const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([key, count]) => `${key} ${count}`)
    .join(", ");
console.log(`commands ${totals.commands}, requests ${totals.requests}`);
console.log(`faults: ${list(fired)}`);
console.log(`strikes: ${list(strikes)}`);
if (totals.wrong > 0) console.log(`runs with other violations: ${totals.wrong}`);
console.log(
  `runs ${last - first + 1}, lost ${totals.lost}, bought twice ${totals.twins}, not converged ${totals.stuck}, seed ${seed}`,
);
if (totals.lost + totals.twins + totals.stuck + totals.wrong > 0) process.exitCode = 1;
