import { setTimeout } from "node:timers/promises";
import { envOf, startApis } from "../emulator.ts";
import { startHost } from "../host.ts";
import { type Plan, repeated } from "../plan.ts";
import { cpuSeconds, residentMb } from "../proc.ts";
import { type Row, rowOf } from "../row.ts";
import { BUYERS, type Buyer, FOLDERS, propertiesOf } from "../subjects.ts";

/** A provider of no weight at all: what its first hook takes is the host's own part. */
const NOTHING = { __provider: "exports.handler=()=>({check:async(olds,inputs)=>({inputs})})" };
const WAITS = 1_000;
const SAMPLE_SECONDS = 30;

/** The plugin process: its start, and what it needs while clusters are waited for. */
export async function measurePlugin({ runs }: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const subject of BUYERS) rows.push(...(await start(subject, Math.max(runs, 5))));
  for (const subject of BUYERS) {
    rows.push(...(await waits(subject, 1, runs)), ...(await waits(subject, WAITS, runs)));
  }
  return rows;
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

async function waits(subject: Buyer, n: number, runs: number): Promise<Row[]> {
  const samples = await repeated(runs, () => whileWaiting(subject, n));
  const label = { subject, n, case: "Retry-After 15" } as const;
  return [
    rowOf(
      { ...label, measure: "rss-per-1000-waits" },
      samples.map(({ mb }) => mb),
    ),
    rowOf(
      { ...label, measure: "cpu-per-1000-waits" },
      samples.map(({ percent }) => percent),
    ),
  ];
}

/** Memory over that of a host with nothing to do, and CPU, while `n` creates wait. */
async function whileWaiting(subject: Buyer, n: number): Promise<{ mb: number; percent: number }> {
  const properties = await propertiesOf(subject);
  await using server = await startApis([{ operationSeconds: 3_600, retryAfterSeconds: 15 }]);
  const [api] = server.apis;
  if (api === undefined) throw new Error("Cannot measure: there is no emulator");
  await using host = await startHost(FOLDERS[subject], envOf(api));
  await host.check(NOTHING);
  const idleMb = residentMb(host.pid);
  for (let index = 0; index < n; index += 1) host.create(properties(index)).catch(() => undefined);
  while ((await api.ledger()).billed.length < n) await setTimeout(500);
  // What the start has left behind is no part of waiting.
  await setTimeout(15_000);
  const before = cpuSeconds(host.pid);
  await setTimeout(SAMPLE_SECONDS * 1_000);
  const percent = ((cpuSeconds(host.pid) - before) / SAMPLE_SECONDS) * 100;
  return { mb: residentMb(host.pid) - idleMb, percent };
}
