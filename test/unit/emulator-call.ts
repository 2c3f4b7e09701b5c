import type { Emulator } from "../emulator/index.ts";

type Fields = Record<string, unknown>;

export interface Called {
  readonly status: number;
  /** The answer as an object; `{ text }` when it is none. */
  readonly body: Fields;
  readonly headers: Headers;
}

export type CallApi = (route: string, body?: unknown, headers?: Record<string, string>) => Promise<Called>;

/** Calls an emulator over HTTP, such as `call("POST /cluster/create", { instance_type: "1xH100" })`. */
export function callsTo(api: Emulator, key: string = "test-key"): CallApi {
  return async (route, body, headers = {}) => {
    const [method = "", path = ""] = route.split(" ", 2);
    const response = await fetch(`${api.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text), headers: response.headers };
  };
}

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : { text };
  } catch {
    return { text };
  }
}

/** The object that stands under `key` of an answer. */
export function inside({ body }: Called, key: string): Fields {
  return body[key] as Fields;
}

/** The text under `key` of an answer, such as an id. */
export function textIn(fields: Fields, key: string): string {
  return fields[key] as string;
}
