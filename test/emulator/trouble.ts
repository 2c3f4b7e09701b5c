import { type Answer, type Fields, isFields } from "./answer.ts";
import type { Fault } from "./faults.ts";

/** What a fault answers in the place of the route, which then does not act; `undefined` when the route acts. */
export function answerInstead(fault: Fault | undefined): Answer | undefined {
  if (fault?.kind === "status") return withStatus(fault);
  if (fault?.kind === "no-capacity") return refused(fault.status ?? 409, "No capacity is available at the moment");
  if (fault?.kind !== "too-many") return undefined;
  const { retryAfter = 1 } = fault;
  const headers = retryAfter === null ? {} : { "retry-after": String(retryAfter) };
  return { ...refused(429, "Too many requests"), headers };
}

/** What a fault makes of the answer of a route that has acted; "lost" when the client gets none. */
export function spoiled(fault: Fault | undefined, answer: Answer): Answer | "lost" {
  switch (fault?.kind) {
    case "lost-answer":
      return "lost";
    case "acted-status":
      return withStatus(fault);
    case "broken-json":
      return { ...answer, body: '{"message": "Accep' };
    case "huge-json":
      return { ...answer, body: `{"message": "${"x".repeat((fault.megabytes ?? 20) * 2 ** 20)}"}` };
    case "list-json":
      return { ...answer, body: "[]" };
    case "empty":
      return { ...answer, body: "" };
    default:
      return answer;
  }
}

function withStatus({ status = 503, headers = {}, body }: Extract<Fault, { kind: "status" | "acted-status" }>): Answer {
  const given = typeof body === "string" || isFields(body) ? body : JSON.stringify(body);
  return { ...refused(status, "The service is in trouble"), headers, ...(given !== undefined && { body: given }) };
}

function refused(status: number, message: string): Answer {
  return { status, body: { message } };
}

/** The answer as a server gives it that knows no more than the specification, or lacks some fields. */
export function reduced(
  answer: Answer,
  minimal: "accepted" | "request-info" | undefined,
  omit: readonly string[],
): Answer {
  // Bytes are an object too, but of a file and not of fields.
  if (!isFields(answer.body) || answer.body instanceof Uint8Array) return answer;
  const body = minimal === undefined ? answer.body : minimalBody(answer.body, minimal);
  const left = Object.entries(body).filter(([key]) => !omit.includes(key));
  return { ...answer, body: Object.fromEntries(left) };
}

function minimalBody(body: Fields, minimal: "accepted" | "request-info"): Fields {
  if (minimal === "accepted") return { request_id: requestIdsIn(body)[0] };
  const { status, external_message: message } = body;
  return message === null ? { status } : { status, message };
}

/** The requests that an answer tells of. */
export function requestIdsIn(body: Answer["body"]): string[] {
  if (!isFields(body)) return [];
  const { request_id, request_ids } = body;
  return [request_id, request_ids].flat().filter((one) => typeof one === "string");
}
