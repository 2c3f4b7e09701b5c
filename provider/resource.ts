import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { durationSeconds } from "./durations.ts";
import { type KindName, providerText, typeToken } from "./frozen.ts";
import { HIDDEN_OUTPUTS } from "./operations/hidden.ts";
import { stackSeed } from "./seed.ts";

export interface Declaration {
  readonly kind: KindName;
  /** Such as `Cluster`. */
  readonly className: string;
  /**
   * Every output. Also the arguments: one that the program leaves open, or looks up with `get`, is known only later, and
   * the SDK makes a property of it at once only when it is declared.
   */
  readonly outputs: readonly string[];
}

/** What all resources of this package share: how they are declared to the engine. They hold no logic. */
export abstract class TensorPoolResource extends pulumi.CustomResource {
  /**
   * @param args `undefined` for a resource that is only looked up, by `opts.id`
   * @throws TypeError when a custom timeout is malformed
   * @throws Error when the package cannot be resolved from the program's folder
   */
  constructor(
    declaration: Declaration,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const { kind, className, outputs } = declaration;
    const type = typeToken(className);
    assertResolvable();
    super(
      type,
      name,
      {
        ...Object.fromEntries(outputs.map((key) => [key, undefined])),
        ...args,
        ...(args && hiddenInputs(type, name, opts)),
        __provider: providerText(kind),
      },
      pulumi.mergeOptions(
        { hideDiffs: [...HIDDEN_OUTPUTS] },
        // Deleted first: a second cluster beside the first would be a second bill, and may be over the quota.
        { ...opts, deleteBeforeReplace: opts.deleteBeforeReplace ?? true },
      ),
    );
    if (opts.replaceOnChanges !== undefined) {
      void pulumi.log.warn(
        `replaceOnChanges has no effect on ${className}: Pulumi ignores it for dynamic resources`,
        this,
      );
    }
  }
}

function hiddenInputs(type: string, name: string, opts: pulumi.CustomResourceOptions): Record<string, unknown> {
  const { customTimeouts, deleteBeforeReplace, parent } = opts;
  const timeouts = Object.entries(customTimeouts ?? {}).flatMap(([verb, text]) =>
    typeof text === "string" ? [[verb, durationSeconds(text, `customTimeouts.${verb}`)] as const] : [],
  );
  return {
    __seed: stackSeed(opts.retainOnDelete === true),
    // Detached: as an ordinary output it would make a child wait for its parent, which waits for its children.
    __urn: pulumi.output(new Promise<string>((resolve) => pulumi.createUrn(name, type, parent).apply(resolve))),
    ...(timeouts.length > 0 && { timeouts: Object.fromEntries(timeouts) }),
    ...(deleteBeforeReplace === false && { __side: true }),
  };
}

let isResolvable = false;

/** The engine loads the package from the program's folder; where that fails, better now than at the first create. */
function assertResolvable(): void {
  if (isResolvable) return;
  try {
    createRequire(join(process.cwd(), "index.js")).resolve("pulumi-tensorpool/provider");
    isResolvable = true;
  } catch (cause) {
    throw new Error(
      `Cannot load pulumi-tensorpool from the program's folder ${process.cwd()}: the Pulumi engine runs it from there. Add it to that folder's package.json: npm install pulumi-tensorpool (or pnpm add pulumi-tensorpool)`,
      { cause },
    );
  }
}
