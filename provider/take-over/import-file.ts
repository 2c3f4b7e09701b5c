import { randomBytes } from "node:crypto";
import { type Core, run } from "../client/run.ts";
import { providerText, SEED_NAME, typeToken } from "../frozen.ts";
import { type Fields, text } from "../json.ts";
import { BEYOND_REPAIR, ON_ITS_WAY } from "../operations/diff.ts";
import { outputsOf, type Reading } from "../operations/state.ts";
import { knownArguments, type TakeOverKind } from "./kinds.ts";
import type { StackState } from "./state-file.ts";

/** One resource as `pulumi import --file` takes it: with its outputs, so that nothing is read or guessed. */
interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Fields;
  readonly outputs: Fields;
}

export interface ImportFile {
  readonly resources: readonly ImportEntry[];
}

/** An object of the API with the name that it gets in the program. */
export interface Imported {
  readonly name: string;
  readonly id: string;
  /** All that the API tells of its arguments. */
  readonly args: Fields;
  readonly outputs: Fields;
}

/**
 * Reads the objects with these ids, all or none.
 * @throws AggregateError that names every one that cannot be imported
 */
export async function readObjects(
  core: Core,
  kind: TakeOverKind,
  ids: readonly string[],
  state: StackState,
  signal: AbortSignal,
): Promise<Imported[]> {
  const readings = await Promise.allSettled(
    [...new Set(ids)].map(async (id) => {
      const what = `import ${kind.resource.noun} "${id}"`;
      const reading = await run(core, what, { signal }, (context) => kind.resource.read(context, id, {}));
      return whole(kind, id, reading, state);
    }),
  );
  signal.throwIfAborted();
  const errors = readings.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, `${wordsOf(errors[0])}. Nothing was written`);
  const found = readings.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  return named(kind, found, state);
}

type Whole = Exclude<Reading, "gone">;

/** @throws Error for an object that a state has already, or that the next `pulumi up` would not leave alone */
function whole({ type, resource }: TakeOverKind, wanted: string, reading: Reading, state: StackState): Whole {
  const cannot = (why: string): Error => new Error(`Cannot import ${resource.noun} ${wanted}: ${why}`);
  if (reading === "gone") throw cannot("there is no such object for this API key");
  const mine = state.objects.find(({ kind, id, isOnlyRead }) => kind.type === type && id === reading.id && !isOnlyRead);
  if (mine !== undefined) throw cannot(`the stack has it already, as ${mine.urn}`);
  const status = text(reading.outputs, "status") ?? "";
  if (BEYOND_REPAIR.includes(status)) throw cannot(`it is ${status}, which pulumi up would replace`);
  if (ON_ITS_WAY.includes(status)) throw cannot(`it is ${status}: run this again when it is ready`);
  return reading;
}

/** Gives each the API's own name, or one made of it that no other resource of the stack has. */
function named(kind: TakeOverKind, found: readonly Whole[], state: StackState): Imported[] {
  const taken = new Set(
    state.objects.filter((one) => one.kind.type === kind.type).map(({ urn }) => urn.split("::").slice(3).join("::")),
  );
  return found.map(({ id, outputs }) => {
    const given = text(outputs, "name") ?? (kind.word === "attachment" ? id.replace("/", "-") : id);
    const name = taken.has(given) ? `${given}-${id}` : given;
    taken.add(name);
    return { name, id, args: knownArguments(kind, outputs), outputs };
  });
}

/**
 * The file for `pulumi import --file`. What it puts into the state is what a create would have left there; arguments that
 * the API does not tell stay open, as in a resource that was adopted.
 */
export function importFile(kind: TakeOverKind, objects: readonly Imported[], state: StackState): ImportFile {
  const seed = state.seed ?? randomBytes(6).toString("hex");
  const resources = objects.map(({ name, id, args, outputs }): ImportEntry => {
    const inputs = {
      ...args,
      __provider: kind.providerText,
      __seed: seed,
      // The export of an empty stack does not tell its URNs: then the next update puts it in.
      ...(state.urnStart !== undefined && { __urn: `${state.urnStart}::${kind.type}::${name}` }),
    };
    const all = outputsOf(kind.resource.fields, inputs, { before: outputs });
    return { type: kind.type, name, id, inputs, outputs: all };
  });
  return { resources: state.seed === undefined ? [seedEntry(seed), ...resources] : resources };
}

/** Without it the next `pulumi up` would have a resource to create. */
function seedEntry(value: string): ImportEntry {
  const inputs = { __provider: providerText("seed") };
  return { type: typeToken("Seed"), name: SEED_NAME, id: value, inputs, outputs: { ...inputs, value } };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
