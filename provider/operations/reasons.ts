import { RequestFailedError, StoppedError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import type { ObjectKind } from "./kind.ts";
import type { LeftOver } from "./shown.ts";
import type { PendingWork } from "./state.ts";

/** What a user is told of a create that is not through, or has come to nothing: what is the case, and what to do. */

/** @param name the object's, or else the resource's */
export function stillRunning(
  kind: ObjectKind,
  name: string,
  id: string | undefined,
  { requestIds, sinceMs }: PendingWork,
  error: unknown,
): string {
  const which = `${kind.noun} "${name}"${id === undefined ? "" : ` (${id})`}`;
  const requests = requestIds.length > 0 ? `request ${requestIds.join(", ")}, ` : "";
  const why = error instanceof Error ? error.message : String(error);
  const hint = error instanceof StoppedError && error.why === "limit" ? " (a longer limit: customTimeouts)" : "";
  return `${why}. The create of ${which} goes on at the server (${requests}since ${new Date(sinceMs).toISOString()}), which is billed. Run pulumi up to go on waiting, without buying a second one${hint}, or pulumi destroy to remove it`;
}

export function failedForGood(error: RequestFailedError, kind: ObjectKind, inputs: Fields): RequestFailedError {
  const which = `${kind.noun} "${text(inputs, "name") ?? ""}"`;
  return new RequestFailedError(
    error.requestId,
    `${error.serverMessage}. The create of ${which} has left nothing behind and nothing is billed; run pulumi up to try again`,
  );
}

export function failedAndThere(
  error: RequestFailedError,
  kind: ObjectKind,
  id: string | undefined,
  left: LeftOver,
): string {
  const which = `${kind.noun} ${id ?? ""}`;
  if (left === "nothing")
    return `${error.message}. ${which} does not exist and is not billed; run pulumi up to create it anew`;
  if (left === "unknown")
    return `${error.message}. Whether ${which} still exists, and is billed, could not be seen; run pulumi up to replace it`;
  return `${error.message}. ${kind.noun} ${left.id} is still there and may be billed. ${howToReplace(kind, left.live)}`;
}

export function missing(kind: ObjectKind, id: string | undefined, requestId: string | undefined): string {
  return `Cannot find ${kind.noun} ${id ?? "(no id is known)"} although the API reports its create as COMPLETED (request ${requestId ?? "unknown"}): it is neither in the lists nor under its id. Run pulumi up to replace it`;
}

export function beyondRepair(kind: ObjectKind, id: string, live: Fields): string {
  return `${kind.noun} ${id} is ${text(live, "status")}. ${howToReplace(kind, live)}`;
}

function howToReplace(kind: ObjectKind, live: Fields): string {
  const unprotect =
    live["deletionProtection"] === true
      ? `; before that, switch its deletion protection off in the TensorPool dashboard or with the tp command`
      : "";
  return `Run pulumi up to replace the ${kind.noun}, or pulumi destroy to remove it${unprotect}`;
}
