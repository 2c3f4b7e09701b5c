import type { Session } from "./session.ts";
import type { ResourceState } from "./state.ts";
import { deleteStep } from "./steps.ts";

/** Deletes `doomed`, each one after all of them that depend on it. */
export async function deleteAll(session: Session, doomed: readonly ResourceState[]): Promise<void> {
  const ends = new Map<ResourceState, Promise<boolean>>();
  const endOf = (one: ResourceState): Promise<boolean> => {
    const end = ends.get(one) ?? removeAfterDependents(one);
    ends.set(one, end);
    return end;
  };

  async function removeAfterDependents(one: ResourceState): Promise<boolean> {
    const dependents = doomed.filter((other) => other !== one && other.dependencies.includes(one.urn));
    const gone = await Promise.all(dependents.map(endOf));
    if (gone.includes(false)) return false;
    let isGone = false;
    await session.inTurn(async () => {
      isGone = await deleteStep(session, one, false);
    });
    return isGone;
  }

  await Promise.all([...doomed].reverse().map(endOf));
}

/** All that depend on `root`, directly or not, in the order of the state. */
export function dependentsOf(root: ResourceState, resources: readonly ResourceState[]): ResourceState[] {
  const urns = new Set([root.urn]);
  const found: ResourceState[] = [];
  for (const one of resources) {
    if (one === root || one.urn === root.urn || !one.dependencies.some((urn) => urns.has(urn))) continue;
    urns.add(one.urn);
    found.push(one);
  }
  return found;
}
