import { expect } from "vitest";
import type { Fault } from "../emulator/index.ts";
import type { Props } from "../engine/plugin.ts";
import type { Kept, Kind } from "./process.ts";
import type { World } from "./world.ts";

/** How a step has ended: all well, an init error (the engine keeps it), or an error with nothing to keep. */
export type Outcome =
  | { readonly ends: "ready"; readonly kept: Kept }
  | { readonly ends: "init error"; readonly kept: Kept; readonly words: string }
  | { readonly ends: "error"; readonly words: string };

export async function outcomeOf(step: Promise<Kept>): Promise<Outcome> {
  try {
    const kept = await step;
    const words = kept.reasons.join("\n");
    return words === "" ? { ends: "ready", kept } : { ends: "init error", kept, words };
  } catch (error) {
    return { ends: "error", words: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * What a user does after a failed `pulumi up`: runs it again, in a new process and without trouble, until nothing is left
 * to do. At the end there is one object for the resource, and it is what the program wants.
 * @param first what the state holds now; `undefined` for nothing
 */
export async function converges(world: World, wanted: Wanted, first: Kept | undefined): Promise<Kept> {
  const { kind, name, args } = wanted;
  world.api.clearFaults();
  let kept = first ?? (await world.run(world.start().make(kind, name, args)));
  for (let runs = 1; ; runs += 1) {
    const step = await world.run(world.start().again(kept, args));
    kept = step.kept;
    if (step.kind === "same") break;
    expect(runs, `runs until ${name} is as the program wants it: ${kept.reasons.join()}`).toBeLessThan(4);
  }
  expect(kept).toMatchObject({ reasons: [], outputs: args });
  expect(kept.outputs).not.toHaveProperty("__pending");
  return kept;
}

export interface Wanted {
  readonly kind: Kind;
  readonly name: string;
  readonly args: Props;
}

/** One line of a table of troubles. */
export interface Row<E extends string = Outcome["ends"]> {
  readonly fault: Fault;
  readonly ends: E;
  /** What the user is told. */
  readonly says?: RegExp;
}

/** The rows for one call of the API, each with a text for its test's title. */
export function on<R extends Row<string>>(call: string, rows: readonly R[]): [title: string, row: R][] {
  return rows.map((row) => {
    const { kind, ...rest } = row.fault;
    const how = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : "";
    return [`${kind}${how} on ${call}`, { ...row, fault: { ...row.fault, on: call } }];
  });
}

/** What is billed now, by id. */
export function billed(world: World): string[] {
  return world.api.ledger().billed.map(({ id }) => id);
}

export function everBilled(world: World): string[] {
  return world.api.ledger().everBilled.map(({ id }) => id);
}

export function early(world: World): unknown[] {
  return world.entries().filter((one) => one.early);
}
