import { type KindName, providerText } from "../../provider/frozen.ts";
import { UNKNOWN } from "../../provider/operations/fields.ts";
import type { Props } from "./plugin.ts";
import type { ResourceState } from "./state.ts";

/** `key.id`, or another output of a resource that is declared before. */
export interface Reference {
  readonly of: string;
  readonly output: string;
}

export interface Declared {
  readonly kind: KindName;
  readonly name: string;
  /** Values and references; `undefined` counts as not given. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** @default true, as the resource classes have it */
  readonly deleteBeforeReplace?: boolean;
  readonly protect?: boolean;
  /** Seconds by operation. */
  readonly timeouts?: Readonly<Record<string, number>>;
}

export type Program = readonly Declared[];

const SEED: Declared = { kind: "seed", name: "tensorpool-seed", inputs: {} };

export function reference(of: string, output = "id"): Reference {
  return { of, output };
}

/** The program with what the classes add: the stack's own Seed in front of all. */
export function complete(program: Program): Program {
  return [SEED, ...program];
}

export function urnOf({ kind, name }: Pick<Declared, "kind" | "name">): string {
  const className = kind.slice(0, 1).toUpperCase() + kind.slice(1);
  return `urn:pulumi:dev::chaos::pulumi-nodejs:dynamic/tensorpool:${className}::${name}`;
}

export interface Resolved {
  readonly inputs: Props;
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

/** What the classes hand to the engine: arguments and hidden inputs, with references replaced by what they stand for. */
export function resolve(
  declared: Declared,
  program: Program,
  outputOf: (urn: string) => ResourceState | undefined,
): Resolved {
  const propertyDependencies: Record<string, string[]> = {};
  const valueOf = (value: unknown, key: string): unknown => {
    if (!isReference(value)) return value;
    const target = program.find(({ name }) => name === value.of);
    const urn = target === undefined ? "" : urnOf(target);
    (propertyDependencies[key] ??= []).push(urn);
    const state = outputOf(urn);
    if (state === undefined) return UNKNOWN;
    return value.output === "id" ? state.id : state.outputs[value.output];
  };
  const isSeed = declared.kind === "seed";
  const given = {
    ...declared.inputs,
    ...(!isSeed && { __seed: reference(SEED.name, "value"), __urn: urnOf(declared) }),
    ...(declared.timeouts && { timeouts: declared.timeouts }),
    ...(declared.deleteBeforeReplace === false && { __side: true }),
  };
  const entries = Object.entries(given).flatMap(([key, value]) => {
    const resolved = valueOf(value, key);
    return resolved === undefined ? [] : [[key, resolved] as const];
  });
  return {
    inputs: { ...Object.fromEntries(entries), __provider: providerText(declared.kind) },
    propertyDependencies,
  };
}

/** The names of the resources that one refers to. */
export function referencesOf(declared: Declared): string[] {
  const names = Object.values(declared.inputs).flatMap((value) => (isReference(value) ? [value.of] : []));
  return [...new Set([...(declared.kind === "seed" ? [] : [SEED.name]), ...names])];
}

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "of" in value && "output" in value;
}
