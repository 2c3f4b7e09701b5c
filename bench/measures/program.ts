import path from "node:path";
import { runCommand } from "../../tools/process.ts";
import { type Plan, repeated } from "../plan.ts";
import { type Row, rowOf } from "../row.ts";
import { BUYERS, type Buyer } from "../subjects.ts";

interface Taken {
  readonly importMs: number;
  readonly firstMs: number;
  readonly registeredMs: number;
  readonly lastMs: number;
}

/** The program's process: import, first and 500th resource. */
export async function measureProgram({ runs }: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const subject of BUYERS) {
    const values = await repeated(Math.max(runs, 5), () => inFreshProcess(subject));
    const label = { measure: "first-resource", subject } as const;
    rows.push(
      rowOf(
        { ...label, n: 0, case: "import of the package" },
        values.map(({ importMs }) => importMs),
      ),
      rowOf(
        { ...label, n: 1 },
        values.map(({ firstMs }) => firstMs),
      ),
      rowOf(
        { ...label, n: 1, case: "until registered" },
        values.map(({ registeredMs }) => registeredMs),
      ),
      rowOf(
        { ...label, n: 500, case: "the 500th" },
        values.map(({ lastMs }) => lastMs),
      ),
    );
  }
  rows.push(
    rowOf(
      { measure: "first-resource", subject: "A", n: 0, case: "import of the client" },
      await repeated(Math.max(runs, 5), clientImportMs),
    ),
  );
  return rows;
}

const IMPORT_CLIENT = `const sinceMs = performance.now();
await import("pulumi-tensorpool/client");
process.stdout.write(String(performance.now() - sinceMs));`;

/** The typed client in a process that has loaded nothing. */
async function clientImportMs(): Promise<number> {
  const args = ["--input-type=module", "--eval", IMPORT_CLIENT];
  const { code, stdout, output } = await runCommand(process.execPath, args, { cwd: import.meta.dirname });
  if (code !== 0) throw new Error(`Cannot import the client\n${output}`);
  return Number(stdout);
}

async function inFreshProcess(subject: Buyer): Promise<Taken> {
  const file = path.join(import.meta.dirname, "../program-main.ts");
  const { code, stdout, output } = await runCommand(process.execPath, [file, subject], { timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`Cannot measure ${subject}\n${output}`);
  return JSON.parse(stdout);
}
