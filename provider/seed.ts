import * as pulumi from "@pulumi/pulumi";
import { providerText, SEED_NAME, typeToken } from "./frozen.ts";

/** Registers the stack's own random number, which makes the names of all its objects its own. */
class Seed extends pulumi.CustomResource {
  declare readonly value: pulumi.Output<string>;
  /** Whether a resource of the program is to outlive the stack. */
  mayLeave = false;

  constructor() {
    // Known when the program has declared its resources, and the Seed is registered with the first of them.
    const mayLeave = new Promise<true | undefined>((resolve) => {
      setImmediate(() => resolve(this.mayLeave || undefined));
    });
    const props = { value: undefined, mayLeave, __provider: providerText("seed") };
    super(typeToken("Seed"), SEED_NAME, props, { hideDiffs: ["__provider"] });
  }
}

declare global {
  /** One Seed for each stack, also when a program loads two copies of this package: their URNs would collide. */
  var tensorpoolSeeds: WeakMap<object, Pick<Seed, "value" | "mayLeave">> | undefined;
}

/**
 * The seed of the stack that the calling program declares, registered when the first resource asks for it.
 * @param mayLeave whether the resource that asks is to outlive the stack
 */
export function stackSeed(mayLeave: boolean): pulumi.Output<string> {
  globalThis.tensorpoolSeeds ??= new WeakMap();
  // Programs that run in one process (inline, or under mocks) have a stack each; under mocks there may be none.
  const stack = pulumi.runtime.getStackResource() ?? pulumi.runtime;
  const seed = globalThis.tensorpoolSeeds.get(stack) ?? new Seed();
  globalThis.tensorpoolSeeds.set(stack, seed);
  seed.mayLeave ||= mayLeave;
  return seed.value;
}
