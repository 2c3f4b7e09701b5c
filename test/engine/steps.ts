import { InitFailed, type Props } from "./plugin.ts";
import { messagesOf, nameOf, type Session } from "./session.ts";
import type { PendingOperation, ResourceState } from "./state.ts";

/** What a resource is to become: its state but for what the plugin has to tell. */
export type Goal = Omit<ResourceState, "id" | "outputs" | "initErrors">;

/**
 * Creates a resource. `old` is what it replaces: deleted already, or still to be deleted afterwards.
 * @returns its state, or undefined when the step has failed, be it with something in the state
 */
export async function createStep(
  session: Session,
  goal: Goal,
  old: ResourceState | undefined,
  isOldDeleted: boolean,
): Promise<ResourceState | undefined> {
  const { plugin, snapshot } = session;
  const done = begin(session, "creating", goal.urn, goal.inputs);
  const put = (id: string, outputs: Props, initErrors: readonly string[]): ResourceState => {
    const now: ResourceState = { ...goal, id, outputs, initErrors };
    if (old !== undefined && !isOldDeleted) snapshot.put(old, { ...old, delete: true });
    snapshot.put(isOldDeleted ? old : undefined, now);
    return now;
  };
  try {
    const { id, outputs } = await session.alive(plugin.create(goal.urn, goal.inputs));
    if (id === "") throw new Error("plugin returned empty resource.ID");
    return put(id, outputs, []);
  } catch (error) {
    if (error instanceof InitFailed) put(error.id, error.properties, error.reasons);
    session.fail(goal.urn, messagesOf(error));
    return undefined;
  } finally {
    done();
  }
}

export async function updateStep(session: Session, goal: Goal, old: ResourceState): Promise<ResourceState | undefined> {
  const { plugin, snapshot } = session;
  const done = begin(session, "updating", goal.urn, goal.inputs);
  try {
    const outputs = await session.alive(plugin.update(goal.urn, old.id, old.outputs, goal.inputs));
    const now: ResourceState = { ...goal, id: old.id, outputs, initErrors: [] };
    snapshot.put(old, now);
    return now;
  } catch (error) {
    // The id of the error is ignored, and the old inputs stay.
    if (error instanceof InitFailed) {
      snapshot.put(old, {
        ...goal,
        id: old.id,
        inputs: old.inputs,
        outputs: error.properties,
        initErrors: error.reasons,
      });
    }
    session.fail(goal.urn, messagesOf(error));
    return undefined;
  } finally {
    done();
  }
}

/** Deletes a resource; one that is to be replaced stays in the state until its replacement is there. */
export async function deleteStep(session: Session, old: ResourceState, isReplaced: boolean): Promise<boolean> {
  const { plugin, snapshot } = session;
  if (old.pendingReplacement && !isReplaced) {
    snapshot.put(old, undefined);
    return true;
  }
  const done = begin(session, "deleting", old.urn, old.inputs);
  try {
    await session.alive(plugin.delete(old.urn, old.id, old.outputs));
    snapshot.put(old, isReplaced ? { ...old, pendingReplacement: true } : undefined);
    return true;
  } catch (error) {
    session.fail(old.urn, messagesOf(error));
    return false;
  } finally {
    done();
  }
}

export async function refreshStep(session: Session, old: ResourceState): Promise<void> {
  const { plugin, snapshot } = session;
  if (old.pendingReplacement) return;
  const done = begin(session, "reading", old.urn, old.inputs);
  try {
    const { id, outputs, inputs = old.inputs } = await session.alive(plugin.read(old.urn, old.id, old.outputs));
    session.trace(id === "" ? `refresh ${nameOf(old.urn)}: gone` : `refresh ${nameOf(old.urn)}: ${id}`);
    snapshot.put(old, id === "" ? undefined : { ...old, id, outputs, inputs, initErrors: [] });
  } catch (error) {
    session.fail(old.urn, messagesOf(error));
  } finally {
    done();
  }
}

function begin({ snapshot, trace }: Session, type: PendingOperation["type"], urn: string, inputs: Props): () => void {
  const operation = { type, urn, inputs };
  trace(`${type} ${nameOf(urn)}`);
  snapshot.begin(operation);
  return () => {
    trace(`${type} ${nameOf(urn)} is over`);
    snapshot.end(operation);
  };
}
