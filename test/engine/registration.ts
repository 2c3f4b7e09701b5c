import { isDeepStrictEqual } from "node:util";
import { UNKNOWN } from "../../provider/operations/fields.ts";
import { dependentsOf } from "./deletes.ts";
import type { DiffAnswer, Props } from "./plugin.ts";
import { type Declared, type Resolved, urnOf } from "./program.ts";
import { nameOf, type Session } from "./session.ts";
import type { ResourceState } from "./state.ts";
import { createStep, deleteStep, type Goal, updateStep } from "./steps.ts";

/** What one `up` knows beyond the state. */
export interface Plan {
  readonly session: Session;
  /** Dependents that are deleted early because what they depend on is replaced: they are made anew when they come. */
  readonly deletedEarly: Set<string>;
  /** The same, as they were in the state: none of them is deleted twice. */
  readonly condemned: Set<ResourceState>;
  /** Resources whose registration has been decided on. */
  readonly decided: Set<string>;
  /** `--replace`. */
  readonly replaced: ReadonlySet<string>;
}

/** A chain of steps; resolves with the resource's new state, or undefined when a step has failed. */
type Chain = () => Promise<ResourceState | undefined>;

/**
 * Decides what becomes of a declared resource: the engine's step generator, which does this for one resource at a time.
 * @returns undefined when it has failed
 */
export async function decide(plan: Plan, declared: Declared, resolved: Resolved): Promise<Chain | undefined> {
  const { session } = plan;
  const { plugin } = session;
  const urn = urnOf(declared);
  const old = session.snapshot.resources.find((one) => one.urn === urn && !one.delete);
  const isAnew = old === undefined || plan.deletedEarly.has(urn) || plan.replaced.has(urn);
  const inputs = await checked(session, urn, isAnew ? {} : old.inputs, resolved.inputs);
  if (inputs === undefined) return undefined;
  const goal = goalOf(declared, inputs, resolved);
  plan.decided.add(urn);
  if (old === undefined) return () => createStep(session, goal, undefined, true);
  if (plan.deletedEarly.delete(urn)) return () => createStep(session, goal, current(session, old), true);

  const diff: DiffAnswer = plan.replaced.has(urn)
    ? { changes: "some", replaces: ["#replace"], deleteBeforeReplace: false }
    : await session.alive(plugin.diff(urn, old.id, old.outputs, inputs));
  const hasChanges = diff.changes === "some" || (diff.changes === "unknown" && !isSame(old.inputs, inputs));
  if ((hasChanges && diff.replaces.length > 0) || old.pendingReplacement) {
    session.trace(`replace ${nameOf(urn)} because of ${diff.replaces.join(", ")}`);
    return replace(plan, declared, resolved, old);
  }
  if (hasChanges || old.initErrors.length > 0) return () => updateStep(session, goal, old);
  return async () => {
    // Unchanged: the new inputs are kept with the old outputs.
    const now: ResourceState = { ...goal, id: old.id, outputs: old.outputs, initErrors: old.initErrors };
    session.snapshot.put(old, now);
    return now;
  };
}

async function replace(
  plan: Plan,
  declared: Declared,
  resolved: Resolved,
  old: ResourceState,
): Promise<Chain | undefined> {
  const { session } = plan;
  if (declared.protect === true && old.protect) {
    session.fail(old.urn, [`unable to replace resource "${old.urn}" as it is currently marked for protection`]);
    return undefined;
  }
  const inputs = await checked(session, old.urn, {}, resolved.inputs);
  if (inputs === undefined) return undefined;
  const goal = goalOf(declared, inputs, resolved);
  if (declared.deleteBeforeReplace === false) return () => createStep(session, goal, old, false);

  const condemned = await dependentsToReplace(plan, old);
  const guarded = condemned.find((one) => one.protect && !one.delete);
  if (guarded !== undefined) {
    session.fail(guarded.urn, [`unable to replace resource "${guarded.urn}" as it is currently marked for protection`]);
    return undefined;
  }
  for (const one of condemned) {
    plan.deletedEarly.add(one.urn);
    plan.condemned.add(one);
  }
  return async () => {
    for (const one of condemned.reverse()) {
      if (session.isStopping() || !(await deleteStep(session, one, !one.delete))) return undefined;
    }
    if (session.isStopping()) return undefined;
    if (!old.pendingReplacement && !(await deleteStep(session, old, true))) return undefined;
    return session.isStopping() ? undefined : createStep(session, goal, current(session, old), true);
  };
}

/** Those dependents that a change of what they depend on would replace: asked with unknowns in its place. */
async function dependentsToReplace(
  { session, decided, condemned: before }: Plan,
  root: ResourceState,
): Promise<ResourceState[]> {
  const { plugin, snapshot } = session;
  const replaced = new Set([root.urn]);
  const condemned: ResourceState[] = [];
  for (const one of dependentsOf(root, snapshot.resources)) {
    if (decided.has(one.urn)) continue;
    const isTouched = (key: string): boolean =>
      one.propertyDependencies[key]?.some((urn) => replaced.has(urn)) === true;
    if (!Object.keys(one.inputs).some(isTouched)) continue;
    const news = Object.fromEntries(
      Object.entries(one.inputs).map(([key, value]) => [key, isTouched(key) ? UNKNOWN : value]),
    );
    const { replaces } = await session.alive(plugin.diff(one.urn, one.id, one.outputs, news));
    if (replaces.length === 0) continue;
    replaced.add(one.urn);
    if (!before.has(one)) condemned.push(one);
  }
  return condemned;
}

async function checked(session: Session, urn: string, olds: Props, news: Props): Promise<Props | undefined> {
  const { inputs, failures } = await session.alive(session.plugin.check(urn, olds, news));
  if (failures.length === 0) return inputs;
  session.fail(
    urn,
    failures.map(({ property, reason }) => `${property}: ${reason}`),
  );
  return undefined;
}

function goalOf(declared: Declared, inputs: Props, { propertyDependencies }: Resolved): Goal {
  const dependencies = [...new Set(Object.values(propertyDependencies).flat())];
  return { urn: urnOf(declared), inputs, dependencies, propertyDependencies, protect: declared.protect === true };
}

/** What has become of `old` in the meantime. */
function current({ snapshot }: Session, old: ResourceState): ResourceState | undefined {
  return snapshot.resources.find((one) => one.urn === old.urn && !one.delete);
}

function isSame(one: Props, other: Props): boolean {
  return isDeepStrictEqual(one, other);
}
