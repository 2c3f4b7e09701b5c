import type { Context } from "../context.ts";
import { InitError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { ownNameOf } from "./check.ts";
import { diff } from "./diff.ts";
import { edit } from "./edit.ts";
import { finish } from "./finish.ts";
import type { ObjectKind } from "./kind.ts";
import { type Found, listed, seen } from "./look.ts";
import { registryOf } from "./registry.ts";
import { outputsOf, type Tracked } from "./state.ts";

/** Takes over the object that `adopt` names by id or name: it is never created. */
export async function adopt(context: Context, kind: ObjectKind, inputs: Fields): Promise<Tracked> {
  const wanted = text(inputs, "adopt") ?? "";
  const list = (await listed(context, kind))?.filter(({ id, live }) => id === wanted || live["name"] === wanted) ?? [];
  const there = list.length === 1 && list[0] !== undefined ? await seen(context, kind, list[0].id) : undefined;
  if (there === undefined) {
    const found =
      list.length > 1 ? `${list.length} have this name: ${list.map(({ id }) => id).join(", ")}` : "there is none";
    throw new Error(
      `Cannot adopt ${kind.noun} "${wanted}": ${found}. Nothing was created. Correct adopt, or take it out of the program to create one`,
    );
  }
  const { replaces } = diff(kind.fields, there.live, inputs);
  if (replaces.length > 0) {
    throw new Error(
      `Cannot adopt ${kind.noun} ${there.id}: ${differences(replaces, there.live, inputs)}. ${replaces.includes("status") ? "Destroy it with the tp command or in the dashboard, and take adopt out of the program" : "Correct the program"}`,
    );
  }
  const [wrong] = kind.rules?.(inputs, there.live) ?? [];
  if (wrong !== undefined) throw new Error(`Cannot adopt ${kind.noun} ${there.id}: ${wrong.reason}`);
  if (registryOf(context.api).takenOver.has(there.id)) {
    throw new Error(
      `Cannot adopt ${kind.noun} ${there.id}: another resource of this run has taken it over already, and each would destroy it. Let only one adopt it`,
    );
  }
  return use(context, kind, inputs, there);
}

/**
 * Takes over what an interrupted run of this very resource has bought: it has this resource's own name. A name that the
 * program chose proves nothing.
 * @param isOurs where something else than the name proves it
 */
export async function takeOver(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  there: Found,
  isOurs = false,
): Promise<Tracked> {
  const name = text(there.live, "name") ?? text(inputs, "name");
  const proves = isOurs || (name === ownNameOf(kind.fields, inputs) && inputs["__side"] !== true);
  if (!proves) {
    throw new Error(
      `Cannot create ${kind.noun} "${name}": ${there.id} has this name already. ${context.api.advice.taken(there.id)}, or destroy it`,
    );
  }
  context.say("info", `took over ${kind.noun} ${there.id} ("${name}") instead of creating a second one`);
  return use(context, kind, inputs, there);
}

async function use(context: Context, kind: ObjectKind, inputs: Fields, there: Found): Promise<Tracked> {
  registryOf(context.api).takenOver.add(there.id);
  const { replaces } = diff(kind.fields, there.live, inputs);
  if (replaces.length > 0) {
    const live = { ...there.live, ...kind.derived(there.id) };
    const outputs = outputsOf(kind.fields, inputs, { live, keyId: context.keyId });
    throw new InitError(there.id, outputs, [
      `Took over ${kind.noun} ${there.id} of an interrupted run, but ${differences(replaces, there.live, inputs)}. ${context.api.advice.replace("it")}`,
    ]);
  }
  const ready = await finish(context, kind, inputs, {
    objectId: there.id,
    requestIds: [],
    sinceMs: context.clock.now(),
  });
  try {
    return { id: ready.id, outputs: await edit(context, kind, ready, inputs) };
  } catch (error) {
    if (error instanceof InitError) throw error;
    // It is this resource's own from here on, whatever became of the change: the state must hold it.
    throw new InitError(ready.id, ready.outputs, [error instanceof Error ? error.message : String(error)], error);
  }
}

function differences(keys: readonly string[], live: Fields, inputs: Fields): string {
  return keys
    .map((key) =>
      key === "status"
        ? `it is ${text(live, key)}`
        : `its ${key} is ${JSON.stringify(live[key])}, not ${JSON.stringify(inputs[key])}`,
    )
    .join(", and ");
}
