import { setTimeout } from "node:timers/promises";
import { realClock } from "../../provider/wait/clock.ts";
import { runCommand } from "../../tools/process.ts";
import { type Api, envOf, startApis } from "../emulator.ts";
import { startHost } from "../host.ts";
import { lagRows, type Observed, observed, optionsOf, SETTINGS, type Setting } from "../operations.ts";
import { type Plan, repeated } from "../plan.ts";
import type { Row } from "../row.ts";
import { BUYERS, type Buyer, FOLDERS, propertiesOf } from "../subjects.ts";

/** Longer operations than this run in virtual time. */
const LONGEST_REAL_SECONDS = 30;
const STAGGER_MS = 137;
/** Hosts, on an emulator each: they mostly wait, but with many of them the questions of some would meet. */
const AT_ONCE = 6;

/** How late a subject learns that an operation is through, and how often it asks: through the real Node host. */
export async function measureLag({ runs, operations: n }: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  const real = SETTINGS.filter(({ seconds }) => seconds <= LONGEST_REAL_SECONDS).flatMap((setting) =>
    BUYERS.map((subject) => ({ subject, setting })),
  );
  const inRealTime = await repeated(runs, async () => {
    const all: Observed[] = [];
    for (let from = 0; from < real.length; from += AT_ONCE) {
      all.push(...(await sideBySide(real.slice(from, from + AT_ONCE), n)));
    }
    return all;
  });
  for (const [index, { subject, setting }] of real.entries()) {
    rows.push(
      ...lagRows(
        subject,
        n,
        setting,
        "",
        inRealTime.map((run) => run[index]),
      ),
    );
  }
  for (const setting of SETTINGS.filter(({ seconds }) => seconds > LONGEST_REAL_SECONDS)) {
    // Virtual time does not care how busy the machine is.
    const all = await Promise.all(BUYERS.map((subject) => repeated(runs, () => inVirtualTime(subject, setting, n))));
    for (const [index, subject] of BUYERS.entries()) {
      rows.push(...lagRows(subject, n, setting, ", virtual time", all[index] ?? []));
    }
  }
  return rows;
}

type Case = { readonly subject: Buyer; readonly setting: Setting };

async function sideBySide(cases: readonly Case[], n: number): Promise<Observed[]> {
  await using server = await startApis(cases.map(({ setting }) => optionsOf(setting, n)));
  await using hosts = new AsyncDisposableStack();
  const ready: { api: Api; host: Awaited<ReturnType<typeof startHost>>; one: Case }[] = [];
  for (const [index, one] of cases.entries()) {
    const api = server.apis[index];
    if (api === undefined) throw new Error("Cannot measure: there are too few emulators");
    ready.push({ api, host: hosts.use(await startHost(FOLDERS[one.subject], envOf(api))), one });
  }
  return await Promise.all(
    ready.map(async ({ api, host, one }, index) => {
      await setTimeout((index * STAGGER_MS) / AT_ONCE);
      const properties = await propertiesOf(one.subject);
      const returnedAtMs = new Map<string, number>();
      const creates = Array.from({ length: n }, async (_, index) => {
        await setTimeout(index * STAGGER_MS);
        await host.create(properties(index));
        returnedAtMs.set(`train-${index}`, realClock.now());
      });
      await Promise.all(creates);
      return observed(await api.ledger(), returnedAtMs, one.setting);
    }),
  );
}

async function inVirtualTime(subject: Buyer, setting: Setting, n: number): Promise<Observed> {
  const file = new URL("../virtual-main.ts", import.meta.url).pathname;
  const args = [file, JSON.stringify({ subject, setting, n })];
  const { code, stdout, output } = await runCommand(process.execPath, args, { timeoutMs: 120_000 });
  if (code !== 0) throw new Error(`Cannot measure ${subject} in virtual time\n${output}`);
  return JSON.parse(stdout);
}
