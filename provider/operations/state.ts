import { type Fields, isFields, number, text, texts } from "../json.ts";
import type { FieldTable } from "./fields.ts";
import { HIDDEN, HIDDEN_OUTPUTS, KEY_ID, OBJECT_ID, OPEN, PENDING } from "./hidden.ts";

/** A resource as the engine keeps it. */
export interface Tracked {
  readonly id: string;
  readonly outputs: Fields;
}

/** What read finds: the resource as it is, or that it is gone. */
export type Reading = (Tracked & { readonly inputs: Fields }) | "gone";

/** Requests of an accepted create without a verdict yet, kept in the outputs so that any later run goes on waiting for them. */
export interface PendingWork {
  readonly requestIds: readonly string[];
  readonly sinceMs: number;
  readonly askAfterMs?: number | undefined;
}

export function pendingOf(outputs: Fields): PendingWork | undefined {
  const stored = outputs[PENDING];
  if (!isFields(stored)) return undefined;
  return {
    requestIds: texts(stored, "requestIds") ?? [],
    sinceMs: number(stored, "sinceMs") ?? 0,
    askAfterMs: number(stored, "askAfterMs"),
  };
}

const PLACEHOLDER = "request:";

/** Pulumi's id: the server's, else a placeholder made of the request, which every operation resolves. */
export function pulumiId(objectId: string | undefined, requestIds: readonly string[]): string {
  return objectId ?? `${PLACEHOLDER}${requestIds[0] ?? "unknown"}`;
}

/** The server's id of what `id` names, where it is known. */
export function objectIdOf(id: string, outputs: Fields): string | undefined {
  return text(outputs, OBJECT_ID) ?? (id.startsWith(PLACEHOLDER) ? undefined : id);
}

/** The request in a placeholder id. */
export function requestIn(id: string): string[] {
  return id.startsWith(PLACEHOLDER) ? [id.slice(PLACEHOLDER.length)] : [];
}

export interface Seen {
  /** Older outputs, for what neither the inputs nor the record tells. */
  readonly before?: Fields;
  /** The record under this package's names. */
  readonly live?: Fields;
  /** Of the key that has just shown the object; left out where nobody has looked, so that the older one stays. */
  readonly keyId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly objectId?: string | undefined;
  readonly pending?: PendingWork | undefined;
}

/**
 * All that the engine is to keep: arguments, hidden keys, what the server says, and what is still under way.
 * @param inputs checked inputs, or the old outputs
 */
export function outputsOf(fields: FieldTable, inputs: Fields, seen: Seen): Fields {
  const keys = [...Object.keys(fields), ...HIDDEN].filter((key) => inputs[key] !== undefined);
  const open = openIn(fields, inputs);
  const before = Object.entries(seen.before ?? {}).filter(([key]) => !HIDDEN_OUTPUTS.includes(key));
  return {
    ...Object.fromEntries(before),
    ...Object.fromEntries(keys.map((key) => [key, inputs[key]])),
    ...seen.live,
    requestId: seen.requestId ?? seen.before?.["requestId"] ?? inputs["requestId"],
    hourlyUsd: inputs["hourlyUsd"] ?? seen.before?.["hourlyUsd"],
    [KEY_ID]: seen.keyId ?? inputs[KEY_ID] ?? seen.before?.[KEY_ID],
    [OBJECT_ID]: seen.objectId,
    [OPEN]: open.length > 0 ? open : undefined,
    [PENDING]: seen.pending,
  };
}

/** The inputs that the engine is to keep after a refresh: what is live now of what the program has set. */
export function inputsOf(fields: FieldTable, outputs: Fields): Fields {
  const open = openIn(fields, outputs);
  const keys = [...Object.keys(fields).filter((key) => !open.includes(key)), ...HIDDEN];
  return Object.fromEntries(keys.map((key) => [key, outputs[key]]));
}

function openIn(fields: FieldTable, source: Fields): string[] {
  return texts(source, OPEN) ?? Object.keys(fields).filter((key) => source[key] === undefined);
}
