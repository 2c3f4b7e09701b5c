import { AnswerLostError, ApiError, InitError, UnfinishedError } from "../errors.ts";
import { pendingOf } from "../operations/state.ts";

/** Where the operations speak to users of Pulumi, the client's callers are told what there is for them. */
const REPLACING = /Run pulumi up (again )?to replace (it|the [a-z ]+)(, or pulumi destroy to remove it)?/g;
const PULUMI = /([.;:,] |,? and |,? then )?(a |run )?pulumi (up|destroy|refresh|state|config)\b[^.;:]*/gi;
const ADOPT = /If it is this resource's own[^;]*; else give|\. To use that one, add adopt[^;]*/g;

/** @param what was to be done, such as `create cluster "train"` */
export function asClientError(error: unknown, what: string): unknown {
  if (error instanceof InitError) return unfinished(error, what);
  if (error instanceof AnswerLostError) {
    const { method, path, reason, cause } = error;
    return new AnswerLostError(method, path, reason, cause, "look in the list before you call it again");
  }
  if (error instanceof ApiError) {
    const { method, path, status, serverMessage, requestId, attempts, askAgainAtMs, cause } = error;
    const advice =
      status === 401
        ? "Check the API key: apiKey, or env TENSORPOOL_KEY"
        : status === undefined
          ? "Check baseUrl (or env TENSORPOOL_ENGINE) and the network, then run again"
          : status === 404
            ? "Check the id, the account of the API key, and baseUrl (or env TENSORPOOL_ENGINE)"
            : undefined;
    return advice === undefined
      ? error
      : new ApiError({ method, path, status, serverMessage, requestId, attempts, askAgainAtMs, cause, advice });
  }
  if (error instanceof Error) error.message = withoutPulumi(error.message);
  return error;
}

function unfinished({ id, properties, reasons, cause }: InitError, what: string): UnfinishedError {
  const pending = pendingOf(properties);
  const { requestIds = [], askAfterMs } = pending ?? {};
  const [requestId] = requestIds;
  // Only clusters and volumes have a `wait` of their own.
  const isAttachment = "clusterId" in properties;
  const attachmentWait = requestId === undefined ? "another attach" : `requests.wait("${requestId}")`;
  const next = isAttachment ? attachmentWait : `wait("${id}"), or call destroy("${id}")`;
  const requests = requestId === undefined ? "" : ` (request ${requestIds.join(", ")})`;
  const bill = isAttachment ? "" : ", which may be billed";
  const goesOn = pending && `. It goes on at the server${requests}${bill}. Go on waiting with ${next}`;
  const why = cause instanceof Error && pending !== undefined ? cause.message : reasons.join("\n");
  const message = `${withoutPulumi(why)}${goesOn ?? ""}`;
  return new UnfinishedError(what, { objectId: id, requestIds, askAfterMs }, message, cause);
}

/** A message of the operations without its advice on pulumi commands, and on `adopt`, which only resources have. */
export function withoutPulumi(message: string): string {
  return message
    .replace(REPLACING, "Destroy it, then create it anew")
    .replace(PULUMI, "")
    .replace(ADOPT, (advice) => (advice.endsWith("give") ? "Give" : ""));
}
