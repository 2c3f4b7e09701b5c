import { createStack, type Stack } from "../../test/cli/cli.ts";
import { type Api, envOf, startApis } from "../emulator.ts";
import { type Plan, repeated } from "../plan.ts";
import { type Measure, median, type Row, rowOf } from "../row.ts";
import { BUYERS, FOLDERS, type ProgramSubject } from "../subjects.ts";

const LIMIT_MS = 900_000;
const COMMANDS = { up: "up", "noop-up": "up", refresh: "refresh", destroy: "destroy" } as const;
type Timed = keyof typeof COMMANDS;
const TIMED: readonly Timed[] = ["up", "noop-up", "refresh", "destroy"];

/** What one life of a stack came to. `undefined` where a command failed, and for all that follow it. */
type Life = Partial<Record<Measure | "up-requests", number>>;

/** Whole stacks through the real CLI: operations of 2 s, Retry-After 1, as many steps at once as the CLI does. */
export async function measureStacks({ runs, counts }: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const n of counts) {
    // In turns, so that what else the machine does hits all alike.
    const lives = await repeated(runs, async () => {
      const round: Life[] = [];
      for (const subject of BUYERS) round.push(await life(subject, n));
      return round;
    });
    for (const [index, subject] of BUYERS.entries())
      rows.push(
        ...rowsOf(
          subject,
          n,
          lives.map((round) => round[index] ?? {}),
        ),
      );
  }
  return rows;
}

/** This package with very many clusters, and the emptiest possible resource for what an `up` of so many costs in any case. */
export async function measureLargest({ largest: n }: Plan): Promise<Row[]> {
  if (n === 0) return [];
  const ours = await life("A", n, 3);
  const { "noop-up": bare } = await life("E", n, 3);
  return [...rowsOf("A", n, [ours]), rowOf({ measure: "noop-up", subject: "E", n }, [bare])];
}

function rowsOf(subject: ProgramSubject, n: number, lives: readonly Life[]): Row[] {
  const measures: Measure[] = [...TIMED, "refresh-requests", "provider-bytes", "state-bytes"];
  return [
    ...measures
      .filter((measure) => lives.some((one) => measure in one) || TIMED.some((timed) => timed === measure))
      .map((measure) =>
        rowOf(
          { measure, subject, n },
          lives.map((one) => one[measure]),
        ),
      ),
    rowOf(
      { measure: "requests-per-operation", subject, n, case: "up" },
      lives.map((one) => one["up-requests"]),
    ),
  ];
}

/** @param noops how often the `up` without a change is run; the median counts */
async function life(subject: ProgramSubject, n: number, noops = 1): Promise<Life> {
  await using server = await startApis([{ operationSeconds: 2, retryAfterSeconds: 1 }]);
  const [api] = server.apis;
  if (api === undefined) throw new Error("Cannot measure: there is no emulator");
  await using stack = await createStack({
    program: FOLDERS[subject],
    env: { ...envOf(api), BENCH_CLUSTERS: String(n) },
  });
  const values: Life = {};
  for (const timed of TIMED) {
    const before = await requestsTo(api);
    const seconds = await repeated(timed === "noop-up" ? noops : 1, () => secondsOf(stack, timed));
    const known = seconds.filter((value) => value !== undefined);
    if (known.length < seconds.length) return values;
    values[timed] = median(known);
    const requests = (await requestsTo(api)) - before;
    if (timed === "up") {
      values["up-requests"] = requests / n;
      Object.assign(values, sizesIn(await stack.export()));
    }
    if (timed === "refresh") values["refresh-requests"] = requests;
  }
  return values;
}

/** Seconds that a command takes; `undefined` when it fails. */
export async function secondsOf(stack: Stack, timed: Timed): Promise<number | undefined> {
  const sinceMs = performance.now();
  const { code, output } = await stack[COMMANDS[timed]]([], { timeoutMs: LIMIT_MS });
  if (code === 0) return (performance.now() - sinceMs) / 1_000;
  process.stderr.write(`${timed} failed in ${stack.folder}:\n${output.slice(-600)}\n`);
  return undefined;
}

async function requestsTo(api: Api): Promise<number> {
  return (await api.ledger()).requests.length;
}

interface State {
  readonly deployment: {
    readonly resources: readonly { readonly type: string; readonly outputs?: { __provider?: string } }[];
  };
}

/** Bytes that a cluster, and its provider's text, take in the state. */
function sizesIn(exported: unknown): Life {
  const state: State = JSON.parse(JSON.stringify(exported));
  const clusters = state.deployment.resources.filter(({ type }) =>
    /^pulumi-nodejs:dynamic.*:(Cluster|Resource)$/.test(type),
  );
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");
  const [first] = clusters;
  return {
    "state-bytes": bytes(clusters) / Math.max(1, clusters.length),
    "provider-bytes": Buffer.byteLength(first?.outputs?.__provider ?? ""),
  };
}
