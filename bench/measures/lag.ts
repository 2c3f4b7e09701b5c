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

/** How late a subject learns that an operation is through, and how often it asks: through the real Node host. */
export async function measureLag({ runs, operations: n }: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  const real = BUYERS.flatMap((subject) =>
    SETTINGS.filter(({ seconds }) => seconds <= LONGEST_REAL_SECONDS).map((setting) => ({ subject, setting })),
  );
  // They mostly wait, so all run side by side, on an emulator each.
  const inRealTime = await repeated(runs, () => sideBySide(real, n));
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
    ready.map(async ({ api, host, one }) => {
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
