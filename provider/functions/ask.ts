import * as pulumi from "@pulumi/pulumi";
import type { Account } from "./account.ts";
import { type Config, configOf, idsBehind, isKnown, valueOf } from "./outputs.ts";
import type { FunctionOptions } from "./types.ts";

/** A function of this package, in Pulumi's two forms. The program does not end before its answer is there. */
interface Question<A, R> {
  /** @throws pulumi.RunError, which ends a program with nothing but its message */
  plain(args: A, options?: FunctionOptions): Promise<R>;
  /** Unknown in a preview where an argument is, or comes from a resource that is yet to be created. */
  output(args: pulumi.Output<A>, options?: FunctionOptions): pulumi.Output<R>;
}

/**
 * Dynamic providers have no functions, so these run in the program's own process; the first one that is called loads the
 * client. Under `setMocks` they ask `call`, as the functions of any package do.
 * @param name such as `getCluster`
 */
export function question<A extends object, R>(
  name: string,
  ask: (account: Account, args: A) => Promise<R>,
): Question<A, R> {
  async function answer(args: A, options: FunctionOptions, config: Config): Promise<R> {
    // Each run of a program has a monitor of its own, also where several share a process.
    const monitor = pulumi.runtime.getMonitor() ?? {};
    if ("mocks" in monitor) return pulumi.runtime.invoke(`tensorpool:index:${name}`, { ...args }, options);
    const { accountOf } = await import("./account.ts");
    try {
      return await ask(accountOf(monitor, process.env, config), args);
    } catch (error) {
      throw asRunError(error);
    }
  }

  return {
    async plain(args, options = {}) {
      const done = pulumi.runtime.rpcKeepAlive();
      try {
        return await answer(args, options, await valueOf(configOf(options), name));
      } finally {
        done();
      }
    },
    output(args, options = {}) {
      const done = pulumi.runtime.rpcKeepAlive();
      const ready = pulumi.all([configOf(options), idsBehind(args)]);
      const result = args.apply((given) => ready.apply(([config]) => answer(given, options, config)));
      isKnown(result).then(done, done);
      return result;
    },
  };
}

const told = new WeakMap<Error, pulumi.RunError>();

/** One for all who have asked the same: Pulumi shows each error once. */
function asRunError(error: unknown): unknown {
  // Of a wrong argument, the stack tells where it stands.
  if (error instanceof TypeError || !(error instanceof Error)) return error;
  const shown = told.get(error) ?? new pulumi.RunError(error.message, { cause: error });
  told.set(error, shown);
  return shown;
}
