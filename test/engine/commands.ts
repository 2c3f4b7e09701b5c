import { deleteAll } from "./deletes.ts";
import { complete, type Declared, type Program, referencesOf, resolve, urnOf } from "./program.ts";
import { decide, type Plan } from "./registration.ts";
import { type Command, type CommandOptions, messagesOf, type Session, startCommand } from "./session.ts";
import type { ResourceState } from "./state.ts";
import { refreshStep } from "./steps.ts";

export interface UpOptions extends CommandOptions {
  readonly program: Program;
  /** `--refresh`. @default false */
  readonly isRefreshing?: boolean;
  /** `--replace`: names of resources. @default none */
  readonly replace?: readonly string[];
}

/** `pulumi up --yes --skip-preview`. */
export function up({ program, isRefreshing = false, replace = [], ...options }: UpOptions): Command {
  return startCommand(options, async (session) => {
    if (isRefreshing) await refreshAll(session);
    if (session.isStopping()) return;
    const whole = complete(program);
    const replaced = new Set(whole.filter(({ name }) => replace.includes(name)).map(urnOf));
    await register({ session, deletedEarly: new Set(), condemned: new Set(), decided: new Set(), replaced }, whole);
    if (session.isStopping()) return;
    const declared = new Set(whole.map(urnOf));
    const doomed = session.snapshot.resources.filter((one) => one.delete === true || !declared.has(one.urn));
    await deleteUnprotected(session, doomed);
  });
}

/** `pulumi refresh --yes`. */
export function refresh(options: CommandOptions): Command {
  return startCommand(options, refreshAll);
}

/** `pulumi destroy --yes`. */
export function destroy(options: CommandOptions): Command {
  return startCommand(options, async (session) => {
    await deleteUnprotected(session, session.snapshot.resources);
  });
}

/** The program runs: each resource is registered when all that it refers to is there. */
async function register(plan: Plan, program: Program): Promise<void> {
  const { session } = plan;
  const results = new Map<string, Promise<ResourceState | undefined>>();
  const states = new Map<string, ResourceState>();
  let generator: Promise<unknown> = Promise.resolve();

  async function registered(declared: Declared): Promise<ResourceState | undefined> {
    const references = referencesOf(declared).map((name) => results.get(name));
    const targets = await Promise.all(references.map((target) => target ?? Promise.resolve(undefined)));
    if (targets.includes(undefined)) return undefined;
    const chain = generator.then(async () => {
      if (session.isStopping()) return undefined;
      return decide(
        plan,
        declared,
        resolve(declared, program, (urn) => states.get(urn)),
      );
    });
    generator = chain.catch(() => undefined);
    let state: ResourceState | undefined;
    try {
      const steps = await chain;
      await session.inTurn(async () => {
        state = await steps?.();
      });
    } catch (error) {
      session.fail(urnOf(declared), messagesOf(error));
    }
    if (state !== undefined) states.set(state.urn, state);
    return state;
  }

  for (const declared of program) results.set(declared.name, registered(declared));
  await Promise.all(results.values());
}

async function refreshAll(session: Session): Promise<void> {
  const steps = session.snapshot.resources.map((one) => session.inTurn(() => refreshStep(session, one)));
  await Promise.all(steps);
}

async function deleteUnprotected(session: Session, doomed: readonly ResourceState[]): Promise<void> {
  const guarded = doomed.filter((one) => one.protect && !one.delete);
  for (const { urn } of guarded) session.fail(urn, [`resource "${urn}" cannot be deleted because it is protected`]);
  if (guarded.length === 0) await deleteAll(session, doomed);
}
