import type { Advice } from "../advice.ts";
import { RequestFailedError, StoppedError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import type { ObjectKind } from "./kind.ts";
import type { LeftOver } from "./shown.ts";
import { type PendingWork, pulumiId } from "./state.ts";

/** What a user is told of a create that is not through, or has come to nothing: what is the case, and what to do. */

/** @param name the object's, or else the resource's */
export function stillRunning(
  advice: Advice,
  kind: ObjectKind,
  name: string,
  id: string | undefined,
  { requestIds, sinceMs }: PendingWork,
  error: unknown,
): string {
  const which = `${kind.noun} "${name}"${id === undefined || id === name ? "" : ` (${id})`}`;
  const requests = requestIds.length > 0 ? `request ${requestIds.join(", ")}, ` : "";
  const why = error instanceof Error ? error.message : String(error);
  const hint = error instanceof StoppedError && error.why === "limit" ? `. A longer limit: ${advice.limit}` : "";
  return `${why}. The create of ${which} goes on at the server (${requests}since ${new Date(sinceMs).toISOString()}), which is billed. ${advice.goOn(pulumiId(id, requestIds))}${hint}`;
}

export function failedForGood(
  advice: Advice,
  { requestId, serverMessage }: RequestFailedError,
  kind: ObjectKind,
  inputs: Fields,
): RequestFailedError {
  const which = `${kind.noun} "${text(inputs, "name") ?? ""}"`;
  return new RequestFailedError(
    requestId,
    serverMessage,
    `The create of ${which} has left nothing behind and nothing is billed. ${advice.again("create", "to try again")}`,
  );
}

export function failedAndThere(
  advice: Advice,
  error: RequestFailedError,
  kind: ObjectKind,
  id: string | undefined,
  left: LeftOver,
): string {
  const which = `${kind.noun} ${id ?? ""}`;
  if (left === "nothing")
    return `${error.message}. ${which} does not exist and is not billed. ${advice.again("create", "to create it anew")}`;
  if (left === "unknown")
    return `${error.message}. Whether ${which} still exists, and is billed, could not be seen. ${advice.replace("it")}`;
  return `${error.message}. ${kind.noun} ${left.id} is still there and may be billed. ${howToReplace(advice, kind, left.live)}`;
}

export function missing(advice: Advice, kind: ObjectKind, id = "(no id is known)", requestId = "unknown"): string {
  return `Cannot find ${kind.noun} ${id} although the API reports its create as COMPLETED (request ${requestId}): it is neither in the lists nor under its id. ${advice.replace("it")}`;
}

export function beyondRepair(advice: Advice, kind: ObjectKind, id: string, live: Fields): string {
  return `${kind.noun} ${id} is ${text(live, "status")}. ${howToReplace(advice, kind, live)}`;
}

function howToReplace(advice: Advice, kind: ObjectKind, live: Fields): string {
  const unprotect =
    live["deletionProtection"] === true
      ? `; before that, switch its deletion protection off in the TensorPool dashboard or with the tp command`
      : "";
  return `${advice.replace(`the ${kind.noun}`)}${unprotect}`;
}
