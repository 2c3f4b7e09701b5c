import type { Answer, Fields } from "./answer.ts";
import { plain } from "./faults.ts";
import type { Caller } from "./options.ts";

/** One request, as a route sees it. */
export interface Call {
  /** The route that it matched, such as `"GET /cluster/info/{cluster}"`. */
  readonly route: string;
  /** What stands in the place of the route's parameter; "" when it has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: Fields;
  /** Node's: names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly caller: Caller;
}

type Handler = (call: Call) => Answer;
/** Handlers by method and path; a path has at most one parameter. */
export type Routes = Readonly<Record<string, Handler>>;

export interface Match {
  readonly route: string;
  readonly id: string;
  readonly handler: Handler;
}

/** The route of a request, if there is one. */
export function match(routes: Routes, method: string, path: string): Match | undefined {
  for (const [route, handler] of Object.entries(routes)) {
    const [before = "", after] = plain(`${route}`).split("{}");
    const asked = `${method} ${path}`;
    if (after === undefined ? asked !== before : !asked.startsWith(before)) continue;
    const rest = asked.slice(before.length);
    const id = after === undefined ? "" : decoded(rest);
    if (after !== undefined && (id === undefined || rest === "" || rest.includes("/"))) continue;
    return { route, id: id ?? "", handler };
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
