import type { Context } from "../context.ts";
import type { Fields } from "../json.ts";
import { type Checkable, type Checked, check } from "./check.ts";
import { create } from "./create.ts";
import { destroy } from "./destroy.ts";
import { type Diff, diff } from "./diff.ts";
import type { FieldTable } from "./fields.ts";
import type { ObjectKind } from "./kind.ts";
import { affordable } from "./quote.ts";
import { read } from "./read.ts";
import { alone } from "./registry.ts";
import { objectIdOf, type Reading, type Tracked } from "./state.ts";
import { update } from "./update.ts";

/** What every kind of resource can do; the hooks hand the engine's calls on to it. */
export interface Resource {
  /** As messages name it, such as `cluster`. */
  readonly noun: string;
  /** Its arguments. */
  readonly fields: FieldTable;
  check(olds: Fields, news: Fields): Checked;
  diff(olds: Fields, news: Fields): Diff;
  create(context: Context, inputs: Fields): Promise<Tracked>;
  update(context: Context, id: string, olds: Fields, news: Fields): Promise<Fields>;
  read(context: Context, id: string, olds: Fields): Promise<Reading>;
  /** @param successor the checked arguments of what is to take its place, where it is replaced */
  destroy(context: Context, id: string, olds: Fields, successor?: Fields): Promise<void>;
}

/** What kinds of resources share that are pure. */
export function plain(kind: Checkable): Pick<Resource, "fields" | "check" | "diff"> {
  const { fields } = kind;
  return { fields, check: (olds, news) => check(kind, olds, news), diff: (olds, news) => diff(fields, olds, news) };
}

export function objectResource(kind: ObjectKind): Resource {
  const ids = (id: string, olds: Fields): string[] => [objectIdOf(id, olds) ?? id];
  return {
    noun: kind.noun,
    ...plain(kind),
    create: (context, inputs) => create(context, kind, inputs),
    update: (context, id, olds, news) => alone(context.api, ids(id, olds), () => update(context, kind, id, olds, news)),
    read: (context, id, olds) => read(context, kind, id, olds),
    async destroy(context, id, olds, successor) {
      if (successor !== undefined) await affordable(context, kind, olds, successor);
      return alone(context.api, ids(id, olds), () => destroy(context, kind, id, olds));
    },
  };
}
