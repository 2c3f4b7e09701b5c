import { type Fields, text } from "../json.ts";
import { type FieldTable, isUnknown, nearest, UNKNOWN } from "./fields.ts";
import { HIDDEN } from "./hidden.ts";
import { ownName } from "./name.ts";

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

export interface Checked {
  readonly inputs: Fields;
  readonly failures: readonly CheckFailure[];
  readonly warnings: readonly string[];
}

/** What check needs to know of a kind of resource. */
export interface Checkable {
  /** As the program calls it, such as `Cluster`. */
  readonly className: string;
  readonly fields: FieldTable;
  /** Faults that no field shows alone. Values may be unknown. */
  rules?(news: Fields, olds: Fields): CheckFailure[];
  /** Doubts that the server has to settle. */
  doubts?(news: Fields): string[];
}

/**
 * Checks the arguments of a resource and fills in what the program left open. Pure: nothing is asked of anybody.
 *
 * A default is filled in at creation, and where the argument was set before. It stays open where the resource was taken
 * over or made by a release that did not know the argument: there the default is a guess, and diff does not compare it.
 */
export function check(kind: Checkable, olds: Fields, news: Fields): Checked {
  const inputs: Record<string, unknown> = {};
  const failures: CheckFailure[] = [];
  const isNew = !Object.keys(kind.fields).some((key) => key in olds);
  for (const key of Object.keys(news)) {
    if (HIDDEN.some((hidden) => hidden === key)) inputs[key] = news[key];
    else if (!Object.hasOwn(kind.fields, key)) failures.push({ property: key, reason: unknownArgument(kind, key) });
  }
  for (const [key, field] of Object.entries(kind.fields)) {
    const value = news[key] ?? undefined;
    if (value === undefined) {
      if (field.isRequired && !isTakeOver(news)) {
        failures.push({ property: key, reason: `Cannot go without ${key}: expected ${field.wrong(undefined)}` });
      } else if (key === "name") inputs[key] = filledName(kind, isNew, olds, news);
      else if (!field.isRequired && (isNew ? !isTakeOver(news) : key in olds)) inputs[key] = field.default ?? null;
      continue;
    }
    const wrong = isUnknown(value) ? undefined : field.wrong(value);
    if (wrong !== undefined) failures.push({ property: key, reason: cannotUse(key, value, wrong) });
    inputs[key] = value;
  }
  failures.push(...(kind.rules?.(news, olds) ?? []));
  const defined = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
  return { inputs: defined, failures, warnings: failures.length === 0 ? (kind.doubts?.(news) ?? []) : [] };
}

/** With `adopt` an existing object is taken over as it is, so nothing needs to be said of it. */
export function isTakeOver(news: Fields): boolean {
  return news["adopt"] !== undefined && news["adopt"] !== null;
}

export function cannotUse(key: string, value: unknown, wrong: string): string {
  return `Cannot use ${key} ${shown(value)}: expected ${wrong}`;
}

function shown(value: unknown): string {
  if (typeof value === "number") return String(value);
  const json = JSON.stringify(value) ?? String(value);
  if (json.includes("PRIVATE KEY")) return "(a private key, which is never to be sent)";
  return json.length <= 120 ? json : `${json.slice(0, 119)}…`;
}

function unknownArgument({ className, fields }: Checkable, key: string): string {
  const names = Object.keys(fields);
  const near = nearest(key, names);
  const hint = near === undefined ? `its arguments are ${names.join(", ")}` : `did you mean ${near}?`;
  return `Cannot use ${key}: ${className} has no such argument; ${hint}`;
}

function filledName({ fields }: Checkable, isNew: boolean, olds: Fields, news: Fields): string | undefined {
  if (!isNew) return text(olds, "name");
  if (isTakeOver(news)) return undefined;
  const seed = news["__seed"];
  const urn = news["__urn"];
  if (isUnknown(seed) || isUnknown(urn)) return UNKNOWN;
  if (news["__side"] === true && isUnknown(replacingIn(fields, news))) return UNKNOWN;
  return ownNameOf(fields, news);
}

/** The name that the package gives a resource with these inputs, or `undefined` where its seed or URN is missing. */
export function ownNameOf(fields: FieldTable, inputs: Fields): string | undefined {
  const seed = text(inputs, "__seed");
  const urn = text(inputs, "__urn");
  if (seed === undefined || urn === undefined) return undefined;
  // With `deleteBeforeReplace: false` old and new stand side by side, so they need names that differ.
  return ownName(seed, urn, inputs["__side"] === true ? JSON.stringify(replacingIn(fields, inputs)) : "");
}

function replacingIn(fields: FieldTable, inputs: Fields): unknown[] {
  return Object.entries(inputs)
    .filter(([key]) => fields[key]?.change === "replaces")
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
