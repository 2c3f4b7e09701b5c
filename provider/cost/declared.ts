import * as pulumi from "@pulumi/pulumi";
import type { FunctionOptions } from "../functions/types.ts";

/** What a quote is asked for. */
export type Wish =
  | { readonly instanceType: string; readonly numNodes: number; readonly sizeGb?: undefined }
  | { readonly sizeGb: number; readonly instanceType?: undefined };

/** The outputs that tell above which price a create is refused, unless it only takes over what is there. */
interface Limited {
  readonly maxHourlyUsd: pulumi.Output<number | undefined>;
  readonly adopt: pulumi.Output<string | undefined>;
}

/** A resource that costs money while it exists. */
export interface Declared {
  readonly name: string;
  readonly type: "Cluster" | "StorageVolume";
  readonly resource: pulumi.CustomResource & Limited;
  /** As it is registered: with what check has filled in, or what an adopted one has. */
  readonly wish: () => pulumi.Output<Wish>;
  /** An output that is unknown in a preview of an `up` that would start to bill more for it. */
  readonly bought: () => pulumi.Output<unknown>;
  /** Tells the account that asks for the quote. */
  readonly account: FunctionOptions;
}

/** All that one run of a program declares. */
export interface Declarations {
  readonly all: Declared[];
  /** The lowest limit that the program has given, in US dollars an hour. */
  mostHourlyUsd: number;
  /** Whether the total will be told: however often it is asked for, that is done once. */
  isTold: boolean;
  /** Called when there is more to tell. */
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
  const known = globalThis.tensorpoolDeclared.get(run) ?? {
    all: [],
    mostHourlyUsd: Number.POSITIVE_INFINITY,
    isTold: false,
    onMore: () => undefined,
  };
  globalThis.tensorpoolDeclared.set(run, known);
  return known;
}

/** Notes a resource for `estimateCost`. */
export function declared(one: Omit<Declared, "account">, opts: pulumi.CustomResourceOptions | undefined): void {
  const run = declarations();
  const { provider, parent } = opts ?? {};
  const account = { ...(provider && { provider }), ...(parent && { parent }) };
  run.all.push({ ...one, account });
  run.onMore();
}
