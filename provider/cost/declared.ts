import * as pulumi from "@pulumi/pulumi";
import type { FunctionOptions } from "../functions/types.ts";

/** What a quote is asked for. */
export type Wish =
  | { readonly instanceType: string; readonly numNodes: number; readonly sizeGb?: undefined }
  | { readonly sizeGb: number; readonly instanceType?: undefined };

/** A resource that costs money while it exists. */
export interface Declared {
  readonly name: string;
  readonly type: "Cluster" | "StorageVolume";
  readonly resource: pulumi.CustomResource;
  /** As it is registered: with what check has filled in, or what an adopted one has. */
  readonly wish: () => pulumi.Output<Wish>;
  /** Tells the account that asks for the quote. */
  readonly account: FunctionOptions;
}

/** All that one run of a program declares. */
export interface Declarations {
  readonly all: Declared[];
  /** Called when one more comes. */
  onMore: () => void;
}

declare global {
  /** For each run of a program one list, also when it loads two copies of this package. */
  var tensorpoolDeclared: WeakMap<object, Declarations> | undefined;
}

export function declarations(): Declarations {
  globalThis.tensorpoolDeclared ??= new WeakMap();
  // Each run of a program has a monitor of its own, also where several share a process.
  const run = pulumi.runtime.getMonitor() ?? pulumi.runtime;
  const known = globalThis.tensorpoolDeclared.get(run) ?? { all: [], onMore: () => undefined };
  globalThis.tensorpoolDeclared.set(run, known);
  return known;
}

/** Notes a resource for `estimateCost`. */
export function declared(
  type: Declared["type"],
  name: string,
  resource: pulumi.CustomResource,
  opts: pulumi.CustomResourceOptions | undefined,
  wish: () => pulumi.Output<Wish>,
): void {
  const run = declarations();
  const { provider, parent } = opts ?? {};
  const account = { ...(provider && { provider }), ...(parent && { parent }) };
  run.all.push({ name, type, resource, wish, account });
  run.onMore();
}
