import { type Accepted, accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { AnswerLostError, ApiError, InitError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { isTakeOver, ownNameOf } from "./check.ts";
import { diff } from "./diff.ts";
import { edit } from "./edit.ts";
import { finish, lastLook } from "./finish.ts";
import { SHOWS_WITHIN_MS } from "./gone.ts";
import type { ObjectKind } from "./kind.ts";
import { type Found, listed, seen } from "./look.ts";
import { registryOf } from "./registry.ts";
import { outputsOf, type Tracked } from "./state.ts";

/** When a lost create is looked for, in milliseconds after the loss. That an object is listed by then is assumed. */
const LOOKS_AFTER_MS = [1_000, 5_000, 15_000, 30_000, 60_000];

/**
 * What an interrupted run has bought was there before this process began, so creates that come one after the other may
 * share a look: in milliseconds.
 */
const FIRST_LOOK_MS = 500;

/**
 * Creates an object, or takes over the one that an interrupted run of this very resource has bought. Looks before it
 * buys, and sends the create once; only a create that was lost and cannot be found within a minute is sent once more.
 * @throws InitError when the object exists and is not ready: the engine keeps it, and the next `pulumi up` goes on
 */
export async function create(context: Context, kind: ObjectKind, inputs: Fields): Promise<Tracked> {
  if (isTakeOver(inputs)) return adopt(context, kind, inputs);
  const { named } = registryOf(context.api);
  const name = text(inputs, "name") ?? "";
  const there = await namesakes(context, kind, inputs, named.has(name) ? 0 : FIRST_LOOK_MS);
  const one = await onlyOne(context, kind, inputs, there ?? []);
  if (one !== undefined) return takeOver(context, kind, inputs, one);
  return buy(context, kind, inputs, there !== undefined);
}

/**
 * The objects of this name, or of the resource's own name: an orphan has that one when the program has named the resource
 * only since. `undefined` when the server cannot list.
 */
async function namesakes(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  mostAgeMs = 0,
): Promise<Found[] | undefined> {
  const names = [text(inputs, "name"), ownNameOf(kind.fields, inputs)].filter((name) => name !== undefined);
  if (names.length === 0) return undefined;
  return (await listed(context, kind, mostAgeMs))?.filter(({ live }) => names.some((name) => name === live["name"]));
}

/** The one that may be taken over, once those that are being destroyed are gone. */
async function onlyOne(context: Context, kind: ObjectKind, inputs: Fields, there: Found[]): Promise<Found | undefined> {
  const lasting: Found[] = [];
  for (const { id } of there) {
    const found = await untilClear(context, kind, id);
    if (found !== "gone") lasting.push(found);
  }
  if (lasting.length <= 1) return lasting[0];
  const ids = lasting.map(({ id }) => id).join(", ");
  throw new Error(
    `Cannot create ${kind.noun} "${text(inputs, "name")}": ${lasting.length} of this name exist already: ${ids}. Destroy all but one, or give another name`,
  );
}

function isLeaving(context: Context, { id, live }: Found): boolean {
  const status = text(live, "status") ?? "";
  return ["DESTROYING", "DESTROYED"].includes(status) || registryOf(context.api).destroyed.has(id);
}

/**
 * What becomes of a listed object: `gone` once one that is on its way out has gone. One that is merely not under its id
 * may have been completed just now, and show up again.
 */
async function untilClear(context: Context, kind: ObjectKind, id: string): Promise<Found | "gone"> {
  let wasLeaving = registryOf(context.api).destroyed.has(id);
  let missingSinceMs: number | undefined;
  return poll(context, `waiting until the old ${kind.noun} ${id} is gone`, async () => {
    const found = await seen(context, kind, id);
    if (found !== undefined && found.live["status"] !== "DESTROYED") {
      missingSinceMs = undefined;
      if (!isLeaving(context, found)) return found;
      wasLeaving = true;
      return undefined;
    }
    if ((await listed(context, kind))?.some((one) => one.id === id)) return undefined;
    missingSinceMs ??= context.clock.now();
    const isGone = wasLeaving || found !== undefined || context.clock.now() - missingSinceMs >= SHOWS_WITHIN_MS;
    return isGone ? "gone" : undefined;
  });
}

/** Takes over what has this resource's own name. A name that the program chose proves nothing. */
async function takeOver(
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
      `Cannot create ${kind.noun} "${name}": ${there.id} has this name already. If it is this resource's own, from an interrupted run, add adopt: "${there.id}" to take it over; else give another name, or destroy it`,
    );
  }
  context.say("info", `took over ${kind.noun} ${there.id} ("${name}") instead of creating a second one`);
  return use(context, kind, inputs, there);
}

/** `adopt` names an object by id or name: it is never created. */
async function adopt(context: Context, kind: ObjectKind, inputs: Fields): Promise<Tracked> {
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
  return use(context, kind, inputs, there);
}

async function use(context: Context, kind: ObjectKind, inputs: Fields, there: Found): Promise<Tracked> {
  registryOf(context.api).takenOver.add(there.id);
  const { replaces } = diff(kind.fields, there.live, inputs);
  if (replaces.length > 0) {
    const live = { ...there.live, ...kind.derived(there.id) };
    const outputs = outputsOf(kind.fields, inputs, { live, keyId: context.keyId });
    throw new InitError(there.id, outputs, [
      `Took over ${kind.noun} ${there.id} of an interrupted run, but ${differences(replaces, there.live, inputs)}. Run pulumi up again to replace it`,
    ]);
  }
  const work = { operation: "create", objectId: there.id, requestIds: [], sinceMs: context.clock.now() } as const;
  const ready = await finish(context, kind, inputs, work);
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

async function buy(context: Context, kind: ObjectKind, inputs: Fields, couldLook: boolean): Promise<Tracked> {
  let lost: Error | undefined;
  const mayBeOurs = ({ id }: Found): boolean => lost !== undefined && !registryOf(context.api).bought.has(id);
  for (let tries = 1; ; tries += 1) {
    const sinceMs = context.clock.now();
    const outcome = await post(context, kind, inputs).catch(async (error: unknown) => {
      // Stopped before the second sending: the first one may have come through all the same.
      throw lost !== undefined && context.signal.aborted ? await asFarAsKnown(context, kind, inputs, lost) : error;
    });
    if (!(outcome instanceof Error)) {
      const { id: objectId, requestIds, askAgainAtMs: askAfterMs } = outcome;
      if (objectId !== undefined) registryOf(context.api).bought.add(objectId);
      if (tries > 1) await refuseTwins(context, kind, inputs, objectId);
      return finish(context, kind, inputs, { operation: "create", objectId, requestIds, sinceMs, askAfterMs });
    }
    if (outcome instanceof AnswerLostError) lost = outcome;
    const one = couldLook ? await lookAgain(context, kind, inputs, outcome) : undefined;
    // The name was free before: what has it now is this create's own, if one has gone out that may have come through.
    if (one !== undefined) return takeOver(context, kind, inputs, one, mayBeOurs(one));
    if (tries === 2 || !couldLook || !(outcome instanceof AnswerLostError)) throw outcome;
    context.say("warning", `the create was lost and is not in the lists after 60 s: sending it once more`);
  }
}

/** Sends the create once. An error that is returned, and not thrown, leaves open whether an object came to be. */
async function post(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
): Promise<(Accepted & { askAgainAtMs: number | undefined }) | Error> {
  const route = kind.routes.create;
  context.report({ status: `creating ${kind.noun}` });
  registryOf(context.api).named.add(text(inputs, "name") ?? "");
  try {
    const { signal, mayBuy: beforeSending } = context;
    const answer = await context.api.call(route, { body: kind.createBody(inputs), signal, beforeSending });
    const handles = accepted(answer.body, kind.idKey);
    if (handles.id !== undefined || handles.requestIds.length > 0)
      return { ...handles, askAgainAtMs: answer.askAgainAtMs };
    return new AnswerLostError(
      route.method,
      route.path,
      `the answer ${answer.status} names neither the object nor a request`,
    );
  } catch (error) {
    // A name that is taken although the list had none of it: an earlier create may show up only now.
    if (error instanceof AnswerLostError || (error instanceof ApiError && error.status === 409)) return error;
    throw error;
  }
}

async function lookAgain(context: Context, kind: ObjectKind, inputs: Fields, lost: Error): Promise<Found | undefined> {
  const lostAtMs = context.clock.now();
  const isLost = lost instanceof AnswerLostError;
  for (const afterMs of isLost ? LOOKS_AFTER_MS : LOOKS_AFTER_MS.slice(0, 2)) {
    context.report({ status: `looking for the ${kind.noun}: ${lost.message}`, nextAtMs: lostAtMs + afterMs });
    try {
      await context.clock.sleep(lostAtMs + afterMs - context.clock.now(), context.signal);
      const there = await namesakes(context, kind, inputs);
      if (there !== undefined && there.length > 0) return await onlyOne(context, kind, inputs, there);
    } catch (error) {
      if (context.signal.aborted) throw await asFarAsKnown(context, kind, inputs, lost);
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return undefined;
}

/** Stopped while a lost create is looked for: one last look, so that what is billed is in the state if it is there. */
async function asFarAsKnown(context: Context, kind: ObjectKind, inputs: Fields, lost: Error): Promise<Error> {
  const id = lost instanceof AnswerLostError ? await lastLook(context, kind, inputs) : undefined;
  if (id === undefined) return lost;
  const pending = { operation: "create", requestIds: [], sinceMs: context.clock.now() } as const;
  const outputs = outputsOf(kind.fields, inputs, { live: kind.derived(id), keyId: context.keyId, pending });
  return new InitError(id, outputs, [
    `Cannot finish creating ${kind.noun} ${id}: the answer to its create was lost and the wait was stopped, but it exists and is billed. Run pulumi up to go on waiting, without buying a second one, or pulumi destroy to remove it`,
  ]);
}

/** The create that was taken for lost may have come through late: then there are two, and the user must know both. */
async function refuseTwins(
  context: Context,
  kind: ObjectKind,
  inputs: Fields,
  newId: string | undefined,
): Promise<void> {
  const twins = (await namesakes(context, kind, inputs).catch(() => undefined)) ?? [];
  const older = twins.find(({ id }) => id !== newId);
  if (twins.length < 2 || older === undefined) return;
  const outputs = outputsOf(kind.fields, inputs, {
    live: { ...older.live, ...kind.derived(older.id) },
    keyId: context.keyId,
  });
  const ids = twins.map(({ id }) => id).join(" and ");
  throw new InitError(older.id, outputs, [
    `A create whose answer was lost has come through late: ${ids} both exist and are billed. This resource now holds ${older.id}; destroy the other one with the tp command or in the dashboard`,
  ]);
}
