import * as pulumi from "@pulumi/pulumi";

/** What every Seed answers with here. */
export const SEED = "5eed5eed5eed";

const STACK = "pulumi:pulumi:Stack";

/** One resource as the engine gets it. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The message itself: the options, by the names of Pulumi's protocol. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Whether the program only looks it up (`.get`). */
  readonly isRead: boolean;
}

export interface Run<T> {
  readonly result: T;
  /** In the order in which the engine got them, without the stack itself. */
  readonly registrations: readonly Registration[];
  /** @throws when there is not exactly one of this name */
  readonly named: (name: string) => Registration;
}

interface Request {
  toObject(): Record<string, unknown>;
}
type Register = (request: Request, callback: unknown) => Promise<void>;
interface Monitor {
  registerResource: Register;
  readResource: Register;
  newUrn(parent: string, type: string, name: string): string;
}

/** Runs a program as `pulumi up` does, in a stack of its own, with `setMocks` in the engine's place. */
export async function runProgram<T>(program: () => T | Promise<T>, project = "project"): Promise<Run<T>> {
  const registrations: Registration[] = [];
  let latest: { request: Record<string, unknown>; isRead: boolean } = { request: {}, isRead: false };
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id }) => {
        if (type !== STACK) registrations.push({ type, name, inputs, ...latest });
        const state = type.endsWith(":Seed") ? { ...inputs, value: SEED } : inputs;
        return { id: id || `${name}-id`, state };
      },
      call: ({ inputs }) => inputs,
    },
    project,
    "stack",
  );
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  // The engine's rule; Pulumi's own stand-in forgets grandparents, and counts the stack as a parent.
  monitor.newUrn = (parent, type, name) => {
    const chain = parent.split("::")[2];
    const isTop = chain === undefined || chain === STACK;
    return `urn:pulumi:stack::${project}::${isTop ? type : `${chain}$${type}`}::${name}`;
  };
  // Mocks are told of inputs only; the options stand in the messages. Each message calls the mocks at once.
  for (const method of ["registerResource", "readResource"] as const) {
    const send = monitor[method].bind(monitor);
    monitor[method] = (request, callback) => {
      latest = { request: request.toObject(), isRead: method === "readResource" };
      return send(request, callback);
    };
  }
  let result: { readonly value: T } | undefined;
  await pulumi.runtime.runInPulumiStack(async () => {
    result = { value: await program() };
  });
  await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
  if (result === undefined) throw new Error("Cannot run the program: it never came to its end");
  return {
    result: result.value,
    registrations,
    named(name) {
      const found = registrations.filter((one) => one.name === name);
      const [only] = found;
      if (only !== undefined && found.length === 1) return only;
      const names = registrations.map((one) => one.name).join(", ");
      throw new Error(`Cannot find "${name}": ${found.length} of ${names} have this name`);
    },
  };
}

/** The value that an output has in the end. */
export function valueOf(value: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    pulumi.all([value]).apply(([known]) => resolve(known));
  });
}
