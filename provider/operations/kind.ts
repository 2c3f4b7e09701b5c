import type { Route } from "../api/routes.ts";
import type { Fields } from "../json.ts";
import type { Checkable } from "./check.ts";
import type { Looking } from "./look.ts";

/** A kind of object that is bought, billed while it exists, and found by its name: a cluster or a storage volume. */
export interface ObjectKind extends Checkable, Looking {
  readonly routes: {
    readonly create: Route;
    readonly list: Route;
    readonly info: Route;
    readonly edit: Route;
    readonly destroy: Route;
    readonly quote: Route;
  };
  /** What a record may show, by this package's names. */
  readonly shown: readonly string[];
  /** Where the answer to a create has the new object's id. */
  readonly idKey: string;
  /** What the price depends on, as a quote is asked for; `undefined` where it is not known. */
  quoteQuery(args: Fields): Record<string, string> | undefined;
  createBody(inputs: Fields): Fields;
  /** The body of an edit for these changed arguments. */
  editBody(changes: Fields): Fields;
  /** Outputs that follow from the id. */
  derived(objectId: string): Fields;
}
