import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Fault, isFault } from "./faults.ts";
import type { EmulatorOptions } from "./options.ts";
import { startEmulator } from "./start.ts";

const HELP = `Usage: npm run emulator -- [options]

Runs the TensorPool API on 127.0.0.1 and prints TENSORPOOL_ENGINE=<address> when it is ready.

  --port N                  port; 0 for any free one (default 0)
  --operation-seconds S     how long each operation takes, decimals allowed (default 10)
  --retry-after S           Retry-After of a pending operation, decimals allowed (default 1)
  --seed K                  what random ids and faults follow from (default 1)
  --key K                   a valid key; may be given several times (default test-key)
  --faults FILE.json        a list of faults; see test/emulator/README.md
  --strict-spec             require ssh_key_id on cluster create
  --rate-limit R            at most R requests per second; more are answered with 429
  --help                    this text

GET <address>/__emulator/ledger tells what is billed and which requests came.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string" },
      "operation-seconds": { type: "string" },
      "retry-after": { type: "string" },
      seed: { type: "string" },
      key: { type: "string", multiple: true },
      faults: { type: "string" },
      "strict-spec": { type: "boolean" },
      "rate-limit": { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const rate = number("rate-limit", values["rate-limit"], undefined, 0.001);
  const options: EmulatorOptions = {
    port: number("port", values.port, 0, 0, 65_535, true),
    operationSeconds: number("operation-seconds", values["operation-seconds"], 10, 0),
    retryAfterSeconds: number("retry-after", values["retry-after"], 1, 0),
    seed: number("seed", values.seed, 1, 0, 2 ** 32 - 1, true),
    strictSpec: values["strict-spec"] ?? false,
    faults: values.faults === undefined ? [] : faultsIn(values.faults),
    ...(values.key && { keys: values.key }),
    ...(rate !== undefined && { rateLimit: { perSecond: rate, burst: Math.max(1, rate) } }),
  };
  const emulator = await startEmulator(options);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void emulator.close());
  process.stdout.write(`TENSORPOOL_ENGINE=${emulator.url}\n`);
}

function number<T extends number | undefined>(
  option: string,
  text: string | undefined,
  otherwise: T,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
  isWhole: boolean = false,
): number | T {
  if (text === undefined) return otherwise;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
  const expected = `${isWhole ? "a whole number" : "a number"} from ${least}${most < 2 ** 33 ? ` to ${most}` : ""}`;
  throw new RangeError(`Cannot use --${option}: expected ${expected}, current value is "${text}"`);
}

function faultsIn(file: string): readonly Fault[] {
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (Array.isArray(list) && list.every(isFault)) return list;
  throw new TypeError(`Cannot use --faults "${file}": expected a JSON list of faults, see test/emulator/README.md`);
}

try {
  await main();
} catch (error) {
  // What the port says is no wrong option: another program has it.
  const isListening = error instanceof Error && "syscall" in error && error.syscall === "listen";
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nTry --help.\n`);
  process.exitCode = isListening ? 1 : 2;
}
