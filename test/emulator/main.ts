import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { isFault } from "./faults.ts";
import { startEmulator } from "./start.ts";

const HELP = `Usage: npm run emulator -- [options]

The TensorPool API in one process, on 127.0.0.1.

  --port N               the port; 0 takes any free one (default 0)
  --operation-seconds S  how long an operation takes (default 5)
  --retry-after S        Retry-After of accepted and unfinished operations (default 1)
  --seed K               everything random follows from it (default 1)
  --key K                a valid API key; may be repeated (default test-key)
  --faults FILE.json     a list of faults: see test/emulator/README.md
  --rate-limit R         requests a second before it answers 429
  --strict-spec          require ssh_key_id to create a cluster
`;

function refuse(why: string): never {
  process.stderr.write(`${why}\n\n${HELP}`);
  process.exit(2);
}

function read() {
  try {
    return parseArgs({
      options: {
        port: { type: "string", default: "0" },
        "operation-seconds": { type: "string", default: "5" },
        "retry-after": { type: "string", default: "1" },
        seed: { type: "string", default: "1" },
        key: { type: "string", multiple: true, default: ["test-key"] },
        faults: { type: "string" },
        "rate-limit": { type: "string" },
        "strict-spec": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function number(name: string, text: string): number {
  const value = Number(text);
  return text.trim() !== "" && value >= 0 && Number.isFinite(value)
    ? value
    : refuse(`Cannot use --${name} "${text}": expected a number, 0 or more`);
}

function faultsIn(file: string) {
  try {
    const faults: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (Array.isArray(faults) && faults.every(isFault)) return faults;
  } catch (error) {
    return refuse(`Cannot read --faults "${file}": ${String(error)}`);
  }
  return refuse(`Cannot use --faults "${file}": expected a JSON list of faults`);
}

const args = read();
if (args.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const rate = args["rate-limit"] === undefined ? undefined : number("rate-limit", args["rate-limit"]);
const emulator = await startEmulator({
  port: number("port", args.port),
  operationSeconds: number("operation-seconds", args["operation-seconds"]),
  retryAfterSeconds: number("retry-after", args["retry-after"]),
  seed: number("seed", args.seed),
  keys: args.key,
  strictSpec: args["strict-spec"],
  ...(args.faults !== undefined && { faults: faultsIn(args.faults) }),
  ...(rate !== undefined && { rateLimit: { perSecond: rate, burst: Math.max(1, rate) } }),
}).catch((error: unknown) => refuse(`Cannot start the emulator: ${String(error)}`));
process.stdout.write(`TENSORPOOL_ENGINE=${emulator.url}\nTENSORPOOL_KEY=${args.key[0]}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void emulator.close().then(() => process.exit(0)));
}
