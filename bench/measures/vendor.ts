import { realClock } from "../../provider/wait/clock.ts";
import { type RunningCommand, startCommand } from "../../tools/process.ts";
import { type Api, envOf, startApis } from "../emulator.ts";
import { lagRows, observed, optionsOf, SETTINGS, type Setting } from "../operations.ts";
import { type Plan, repeated } from "../plan.ts";
import { residentMb } from "../proc.ts";
import { type Row, rowOf } from "../row.ts";
import { type VendorClient, vendorClient } from "../vendor.ts";

/** As many commands as run at once. */
const AT_ONCE = 8;
const LONG_SECONDS = 100;
const SHORT_SECONDS = 10;

/** Subject D, the vendor's client as child processes: lag, requests and memory. */
export async function measureVendor({ runs, isLongVendorRun }: Plan): Promise<Row[]> {
  let client: VendorClient;
  try {
    client = await vendorClient();
  } catch (error) {
    process.stderr.write(`Subject D is left out: ${error instanceof Error ? error.message : String(error)}\n`);
    return [];
  }
  const settings = SETTINGS.filter(({ seconds }) => isLongVendorRun || seconds < LONG_SECONDS);
  if (!isLongVendorRun)
    process.stderr.write("Subject D knows no virtual time: --quick leaves its long operations out\n");
  const rows: Row[] = [];
  let memory: number[] = [];
  for (const seconds of new Set(settings.map((setting) => setting.seconds))) {
    const same = settings.filter((setting) => setting.seconds === seconds);
    const values = await repeated(runs, () => sideBySide(client, same));
    for (const [index, setting] of same.entries()) {
      rows.push(
        ...lagRows(
          "D",
          AT_ONCE,
          setting,
          "",
          values.map((run) => run[index]?.lag),
        ),
      );
    }
    memory = values.flatMap((run) => run.map(({ mb }) => mb));
  }
  const label = { measure: "rss-per-1000-waits", subject: "D", n: AT_ONCE, case: "8 commands at once" } as const;
  return [...rows, rowOf(label, memory)];
}

async function sideBySide(client: VendorClient, settings: readonly Setting[]) {
  await using server = await startApis(settings.map((setting) => optionsOf(setting, AT_ONCE)));
  const run = (setting: Setting, index: number) => eightCommands(client, server.apis[index], setting);
  // The starts take the CPU for some seconds: they must not disturb the ends of short operations.
  if (settings.every(({ seconds }) => seconds > SHORT_SECONDS)) return await Promise.all(settings.map(run));
  const all = [];
  for (const [index, setting] of settings.entries()) all.push(await run(setting, index));
  return all;
}

async function eightCommands(client: VendorClient, api: Api | undefined, setting: Setting) {
  if (api === undefined) throw new Error("Cannot measure: there are too few emulators");
  const returnedAtMs = new Map<string, number>();
  const running: RunningCommand[] = [];
  const commands = Array.from({ length: AT_ONCE }, async (_, index) => {
    const [file, args] = client.command(`train-${index}`);
    const command = startCommand(file, args, { env: { ...process.env, ...envOf(api) } });
    running.push(command);
    const { code } = await command.done;
    returnedAtMs.set(`train-${index}`, realClock.now());
    return code;
  });
  let mb = 0;
  const sampling = setInterval(() => {
    mb = Math.max(mb, sum(running.map(({ pid }) => memoryOf(pid))));
  }, 250);
  const codes = await Promise.all(commands);
  clearInterval(sampling);
  const isWhole = codes.every((code) => code === 0);
  return { lag: isWhole ? observed(await api.ledger(), returnedAtMs, setting) : undefined, mb };
}

/** 0 for a command that has ended. */
function memoryOf(pid: number | undefined): number {
  try {
    return pid === undefined ? 0 : residentMb(pid);
  } catch {
    return 0;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
