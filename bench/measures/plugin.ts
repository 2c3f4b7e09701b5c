import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { envOf, startApis } from "../emulator.ts";
import { startHost } from "../host.ts";
import { type Plan, repeated } from "../plan.ts";
import { cpuSeconds, residentMb } from "../proc.ts";
import { type Row, rowOf } from "../row.ts";
import { BUYERS, type Buyer, FOLDERS, propertiesOf } from "../subjects.ts";

/** A provider of no weight at all: what its first hook takes is the host's own part. */
const NOTHING = { __provider: "exports.handler=()=>({check:async(olds,inputs)=>({inputs})})" };
const EVENT_LOOP = path.join(import.meta.dirname, "../event-loop-main.ts");
const WAITS = 1_000;
const SETTLE_SECONDS = 20;
/** As long as every request waits between two questions. */
const SAMPLE_SECONDS = 15;

/** The plugin process: its start, and what it needs while clusters are waited for. */
export async function measurePlugin({ runs }: Plan, subjects: readonly Buyer[] = BUYERS): Promise<Row[]> {
  const rows: Row[] = [];
  for (const subject of subjects) rows.push(...(await start(subject, Math.max(runs, 5))));
  // Side by side: they mostly wait, and what counts is each process's own memory and CPU time.
  const cases = subjects.flatMap((subject) => [1, WAITS].map((n) => ({ subject, n })));
  const samples = await repeated(runs, () => Promise.all(cases.map(({ subject, n }) => whileWaiting(subject, n))));
  for (const [index, { subject, n }] of cases.entries()) {
    const label = { subject, n, case: "Retry-After 15" };
    const each = (value: (sample: Sample) => number) =>
      samples.map((run) => run[index]).map((sample) => sample && value(sample));
    rows.push(
      rowOf(
        { ...label, measure: "rss-per-1000-waits" },
        each(({ mb }) => mb),
      ),
      rowOf(
        { ...label, measure: "cpu-per-1000-waits" },
        each(({ percent }) => percent),
      ),
      rowOf(
        { ...label, measure: "event-loop-delay-p99" },
        each(({ lateMs }) => lateMs),
      ),
    );
  }
  return rows;
}

interface Sample {
  readonly mb: number;
  readonly percent: number;
  readonly lateMs: number;
}

async function start(subject: Buyer, runs: number): Promise<Row[]> {
  const properties = await propertiesOf(subject);
  const whole = await repeated(runs, () => untilFirstHook(subject, properties(0)));
  const bare = await repeated(runs, () => untilFirstHook(subject, NOTHING));
  const label = { measure: "plugin-start", subject, n: 1 } as const;
  return [
    rowOf(
      { ...label, case: "start to first hook" },
      whole.map(({ readyMs, hookMs }) => readyMs + hookMs),
    ),
    rowOf(
      { ...label, case: "own share of it" },
      whole.map(({ hookMs }, run) => hookMs - (bare[run]?.hookMs ?? 0)),
    ),
  ];
}

async function untilFirstHook(subject: Buyer, props: Readonly<Record<string, unknown>>) {
  await using host = await startHost(FOLDERS[subject], {});
  const sinceMs = performance.now();
  await host.check(props);
  return { readyMs: host.readyMs, hookMs: performance.now() - sinceMs };
}

/** Memory over that of a host with nothing to do, and CPU, while `n` creates wait. */
async function whileWaiting(subject: Buyer, n: number): Promise<Sample> {
  const properties = await propertiesOf(subject);
  await using server = await startApis([{ operationSeconds: 3_600, retryAfterSeconds: 15 }]);
  const [api] = server.apis;
  if (api === undefined) throw new Error("Cannot measure: there is no emulator");
  const folder = await mkdtemp(path.join(tmpdir(), "bench-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const file = path.join(folder, "delay");
  const watched = { NODE_OPTIONS: `--import=${EVENT_LOOP}`, BENCH_EVENT_LOOP: file };
  await using host = await startHost(FOLDERS[subject], { ...envOf(api), ...watched });
  await host.check(NOTHING);
  const idleMb = residentMb(host.pid);
  let isOver = false;
  const failures: unknown[] = [];
  for (let index = 0; index < n; index += 1) {
    host.create(properties(index)).catch((error: unknown) => isOver || failures.push(error));
  }
  while ((await api.ledger()).billed.length < n) {
    if (failures.length > 0) throw new Error("Cannot measure: a create has failed", { cause: failures[0] });
    await setTimeout(500);
  }
  // The first questions, and the rows that change with them, belong to the start and not to waiting.
  await setTimeout(SETTLE_SECONDS * 1_000);
  const before = cpuSeconds(host.pid);
  await setTimeout(SAMPLE_SECONDS * 1_000);
  const percent = ((cpuSeconds(host.pid) - before) / SAMPLE_SECONDS) * 100;
  const mb = residentMb(host.pid) - idleMb;
  // Watching costs CPU itself, so it has a time of its own.
  process.kill(host.pid, "SIGUSR2");
  await setTimeout(SAMPLE_SECONDS * 1_000);
  process.kill(host.pid, "SIGUSR2");
  isOver = true;
  return { mb, percent, lateMs: await numberIn(file) };
}

/** What the watched process has written, as soon as it has. */
async function numberIn(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (text !== "") return Number(text);
    await setTimeout(50);
  }
}
