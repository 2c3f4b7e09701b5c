import * as routes from "../api/routes.ts";
import { requestInfo } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { type Fields, isFields, text } from "../json.ts";
import { type FieldTable, idOf } from "./fields.ts";
import { KEY_ID, RESOLVED } from "./hidden.ts";
import { outputsOf, type PendingWork, requestIn, type Tracked } from "./state.ts";

/** The two ends of an attachment, by the server's ids. */
export interface Ends {
  readonly clusterId: string;
  readonly storageId: string;
}

const ID = /^([^/\s]+)\/([^/\s]+)$/;

/** The ends in an attachment's id, or `undefined` when it is none. */
export function endsOf(id: string): Ends | undefined {
  const [, clusterId, storageId] = ID.exec(id) ?? [];
  return clusterId === undefined || storageId === undefined ? undefined : { clusterId, storageId };
}

/** An attachment has no name: only its id tells which one it is. */
function attachmentId(value: unknown): string | undefined {
  const isId = typeof value === "string" && endsOf(value) !== undefined;
  return isId ? undefined : 'the id of an attachment: "<cluster id>/<volume id>", such as c-…/s-…';
}

export const attachmentFields: FieldTable = {
  clusterId: {
    wrong: idOf("a cluster", "c-…", { "s-": "a storage volume's", "i-": "an instance's" }),
    change: "replaces",
    isRequired: true,
  },
  storageId: {
    wrong: idOf("a storage volume", "s-…", { "c-": "a cluster's", "i-": "an instance's" }),
    change: "replaces",
    isRequired: true,
  },
  adopt: { wrong: attachmentId, change: "stored" },
};

/** The two ends, where the program knows them by placeholders as the server calls them. */
export function endsIn(outputs: Fields): Ends {
  const stored = outputs[RESOLVED];
  const source = isFields(stored) ? stored : outputs;
  return { clusterId: text(source, "clusterId") ?? "", storageId: text(source, "storageId") ?? "" };
}

/** The attachment as the engine is to keep it. */
export function track(context: Context, inputs: Fields, ends: Ends, pending?: PendingWork): Tracked {
  // With `adopt` the program may name no ends: then they are the server's own.
  const { clusterId = ends.clusterId, storageId = ends.storageId } = inputs;
  const isPlaceholder = clusterId !== ends.clusterId || storageId !== ends.storageId;
  const live = { clusterId, storageId, [RESOLVED]: isPlaceholder ? { ...ends } : undefined };
  const requestId = pending?.requestIds[0] ?? text(inputs, "requestId");
  return {
    id: `${ends.clusterId}/${ends.storageId}`,
    // While it is pending, nobody has seen it yet: the key that asked for it counts.
    outputs: outputsOf(attachmentFields, inputs, {
      live,
      keyId: pending && inputs[KEY_ID] !== undefined ? undefined : context.keyId,
      requestId,
      pending,
    }),
  };
}

/** The server's id behind a placeholder. */
export async function resolved(context: Context, id: string, noun: string): Promise<string> {
  const [requestId] = requestIn(id);
  if (requestId === undefined) return id;
  const answer = await context.api.call(routes.requestInfo, { id: requestId, signal: context.signal });
  const { objectId } = requestInfo(answer.body);
  if (objectId !== undefined) return objectId;
  throw new Error(`Cannot attach with ${noun} ${id}: its id is not known yet. ${context.api.advice.noId}`);
}
