import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Core } from "../client/run.ts";
import { importFile, readObjects } from "../take-over/import-file.ts";
import { KINDS, type TakeOverKind } from "../take-over/kinds.ts";
import { typescriptOf } from "../take-over/typescript.ts";
import { EXIT, type Io, UsageError } from "./io.ts";
import { json, printableLines } from "./printable.ts";
import { stateIn, stateOfStack } from "./state.ts";

const FILE = "tensorpool-import.json";

/** Writes the file for `pulumi import --file` and prints what belongs into the program. */
export async function importObjects(core: () => Core, args: string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: { type: "string", default: FILE },
      overwrite: { type: "boolean", default: false },
      stack: { type: "string" },
      "stack-export": { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const [word, ...ids] = positionals;
  const kind = kindOf(word);
  checkIds(kind, ids);
  const { out: file, stack, "stack-export": stackExport } = values;
  if (stack !== undefined && stackExport !== undefined) {
    throw new UsageError("Cannot use --stack with --stack-export: the export is of one stack already");
  }
  const account = core();
  const state = stackExport === undefined ? await stateOfStack(stack, io) : await stateIn(stackExport, io);
  const objects = await readObjects(account, kind, ids, state, io.signal);
  await write(file, `${JSON.stringify(importFile(kind, objects, state), null, 2)}\n`, values.overwrite);

  const onStack = stack === undefined ? "" : ` --stack ${shellWord(stack)}`;
  const command = `pulumi import --file ${shellWord(file)} --generate-code=false${onStack}`;
  const program = typescriptOf(kind, objects);
  if (values.json) {
    const resources = objects.map(({ id, name }) => ({ type: kind.type, name, id }));
    io.out(json({ file, resources, command, program }));
  } else {
    io.out(
      printableLines(
        `Wrote ${file}. Run (Pulumi CLI 3.254 or newer)\n\n  ${command}\n\nand put this into the program:\n\n${program}`,
      ),
    );
  }
  return EXIT.done;
}

/** As a shell takes it for one word. */
function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function kindOf(word: string | undefined): TakeOverKind {
  const words = KINDS.map((kind) => kind.word).join(", ");
  if (word === undefined) throw new UsageError(`Cannot run import: expected one of ${words}, and an ID`);
  const found = KINDS.find((kind) => kind.word === word);
  if (found === undefined) throw new UsageError(`Cannot import "${word}": expected one of ${words}`);
  return found;
}

/** Whatever `adopt` takes may stand here too. */
function checkIds({ word, resource }: TakeOverKind, ids: readonly string[]): void {
  if (ids.length === 0) throw new UsageError(`Cannot run import ${word}: an ID is missing`);
  for (const id of ids) {
    const wrong = resource.fields["adopt"]?.wrong(id);
    if (wrong !== undefined) throw new UsageError(`Cannot import ${resource.noun} "${id}": expected ${wrong}`);
  }
}

async function write(file: string, content: string, mayOverwrite: boolean): Promise<void> {
  try {
    await writeFile(file, content, { flag: mayOverwrite ? "w" : "wx" });
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const isThere = "code" in cause && cause.code === "EEXIST";
    if (isThere) throw new Error(`Cannot write ${file}: it is there already (--overwrite replaces it)`, { cause });
    throw new Error(`Cannot write ${file}: ${cause.message}`, { cause });
  }
}
