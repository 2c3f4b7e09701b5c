import * as routes from "../api/routes.ts";
import { known } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { AnswerLostError, ApiError, InitError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { isTakeOver, ownNameOf } from "./check.ts";
import { type Found, listed } from "./look.ts";
import { lastLook, lookAgain } from "./lost.ts";
import { isSameKey, keyFields, looking, withOwnText } from "./public-key.ts";
import { registryOf } from "./registry.ts";
import { outputsOf, type Tracked } from "./state.ts";

/** How long a key is looked for whose registration was lost, and one that the server calls registered already. */
const LOST_SHOWS_WITHIN_MS = 15_000;
const TAKEN_SHOWS_WITHIN_MS = 5_000;

/**
 * Registers an SSH key, or takes over the one that an interrupted run of this very resource has registered.
 * @throws Error that names the id of a key that was registered already
 */
export async function register(context: Context, inputs: Fields): Promise<Tracked> {
  const before = await listed(context, looking);
  const tracked = (found: Found): Tracked => ({
    id: found.id,
    outputs: outputsOf(keyFields, inputs, { live: withOwnText(found, inputs), keyId: context.keyId }),
  });
  const { takenOver, bought } = registryOf(context.api);
  if (isTakeOver(inputs)) {
    const found = adopted(before ?? [], inputs);
    takenOver.add(found.id);
    return tracked(found);
  }
  const mine = before?.find((one) => isOwn(one, inputs));
  if (mine !== undefined) {
    takenOver.add(mine.id);
    context.say("info", `took over SSH key ${mine.id} instead of registering it a second time`);
    if (isSameKey(mine.live, inputs)) return tracked(mine);
    throw new InitError(mine.id, tracked(mine).outputs, [
      `Took over SSH key ${mine.id} of an interrupted run, but its publicKey is another one. ${context.api.advice.replace("it")}`,
    ]);
  }
  const same = before?.find((one) => isSameKey(one.live, inputs));
  if (same !== undefined) throw new Error(registered(context, same.id));
  const added = await add(context, inputs, before !== undefined);
  bought.add(added.id);
  return tracked(added);
}

/** Sends the key; one that was lost and is not in the lists a little later goes out once more. */
async function add(context: Context, inputs: Fields, couldLook: boolean): Promise<Found> {
  let isLost = false;
  for (let tries = 1; ; tries += 1) {
    const outcome = await post(context, inputs);
    if (typeof outcome === "string") return { id: outcome, live: {} };
    isLost ||= outcome instanceof AnswerLostError;
    const found = couldLook ? await lookFor(context, inputs, outcome) : "cannot look";
    if (typeof found !== "string") {
      // The list had none before: what it has now is what this call has added, if one may have come through.
      const isOurs = isLost && !registryOf(context.api).bought.has(found.id);
      if (isOurs || isOwn(found, inputs)) return found;
      throw new Error(registered(context, found.id), { cause: outcome });
    }
    if (tries === 2 || found === "cannot look" || !(outcome instanceof AnswerLostError)) throw outcome;
  }
}

/** @returns the new key's id; or the error that leaves open whether it is registered by now */
async function post(context: Context, inputs: Fields): Promise<string | AnswerLostError | ApiError> {
  const body = { public_key: text(inputs, "publicKey")?.trim(), ...known({ name: text(inputs, "name") }) };
  const { signal, mayBuy: beforeSending } = context;
  try {
    const answer = await context.api.call(routes.addSshKey, { body, signal, beforeSending });
    const id = text(answer.body, "key_id") ?? text(answer.body, "id");
    const { method, path } = routes.addSshKey;
    return id ?? new AnswerLostError(method, path, "the answer does not name the key", context.api.advice.answerLost);
  } catch (error) {
    if (error instanceof AnswerLostError || (error instanceof ApiError && error.status === 409)) return error;
    throw error;
  }
}

async function lookFor(
  context: Context,
  inputs: Fields,
  lost: AnswerLostError | ApiError,
): Promise<Found | "absent" | "cannot look"> {
  const look = async (on: Context): Promise<Found | "absent" | "cannot look"> => {
    const list = await listed(on, looking);
    return list === undefined ? "cannot look" : (list.find((one) => isSameKey(one.live, inputs)) ?? "absent");
  };
  const withinMs = lost instanceof AnswerLostError ? LOST_SHOWS_WITHIN_MS : TAKEN_SHOWS_WITHIN_MS;
  try {
    return await lookAgain(context, `looking for the SSH key: ${lost.message}`, withinMs, () => look(context));
  } catch (error) {
    if (!context.signal.aborted) throw error;
    const found = await lastLook(context, look);
    if (found === undefined || typeof found === "string") throw lost;
    return found;
  }
}

/** Whether an interrupted run of this very resource has registered the key: it has this resource's own name. */
function isOwn({ live }: Found, inputs: Fields): boolean {
  const name = text(inputs, "name");
  return name !== undefined && name === live["name"] && name === ownNameOf(keyFields, inputs);
}

function adopted(list: readonly Found[], inputs: Fields): Found {
  const wanted = text(inputs, "adopt") ?? "";
  const found = list.filter((one) => one.id === wanted || one.live["name"] === wanted);
  const [one] = found;
  if (one === undefined || found.length > 1) {
    const why =
      one === undefined ? "there is none" : `${found.length} have this name: ${found.map(({ id }) => id).join(", ")}`;
    throw new Error(`Cannot adopt SSH key "${wanted}": ${why}. Nothing was registered`);
  }
  if (inputs["publicKey"] && !isSameKey(one.live, inputs)) {
    throw new Error(`Cannot adopt SSH key ${one.id}: its publicKey is another one. Correct publicKey, or leave it out`);
  }
  return one;
}

function registered({ api }: Context, id: string): string {
  return `Cannot register the SSH key: the API has this publicKey already, as ${id}. ${api.advice.registered(id)}`;
}
