import type { Context } from "../context.ts";
import { InitError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { ON_ITS_WAY } from "./diff.ts";
import { edit } from "./edit.ts";
import { finish } from "./finish.ts";
import type { ObjectKind } from "./kind.ts";
import { priced } from "./quote.ts";
import { objectIdOf, pendingOf, requestIn, type Tracked } from "./state.ts";

/**
 * Goes on with what an earlier run has left unfinished, then changes in place what differs.
 * @returns the new outputs
 * @throws InitError when the work is still unfinished, or was finished and the change then failed
 */
export async function update(
  context: Context,
  kind: ObjectKind,
  id: string,
  olds: Fields,
  news: Fields,
): Promise<Fields> {
  const resumed = await resume(context, kind, id, olds);
  try {
    return await edit(context, kind, resumed, news);
  } catch (error) {
    if (error instanceof InitError || resumed.outputs === olds) throw error;
    // What the resumed wait has found out must not be lost with the failed edit.
    throw new InitError(id, resumed.outputs, [error instanceof Error ? error.message : String(error)], error);
  }
}

async function resume(context: Context, kind: ObjectKind, id: string, olds: Fields): Promise<Tracked> {
  const pending = pendingOf(olds);
  const objectId = objectIdOf(id, olds);
  const isUnfinished = pending !== undefined || ON_ITS_WAY.includes(text(olds, "status") ?? "");
  if (!isUnfinished && objectId !== undefined) return { id, outputs: olds };
  const work = pending ?? { requestIds: requestIn(id), sinceMs: context.clock.now() };
  const finished = await finish(context, kind, olds, { ...work, objectId, id });
  // One that was taken over, and then stopped, was never asked about.
  return finished.outputs["hourlyUsd"] === undefined ? priced(context, kind, finished) : finished;
}
