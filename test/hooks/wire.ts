import type { HttpRequest, HttpResponse } from "../../provider/api/transport.ts";
import { type Fields, isFields } from "../../provider/json.ts";

/** Such as `"POST /cluster/create"`. */
export function callOf({ method, url }: HttpRequest): string {
  return `${method} ${new URL(url).pathname}`;
}

export function answer(status: number, body: Fields): HttpResponse {
  return { status, header: () => undefined, body: JSON.stringify(body) };
}

/** The answer without these fields, wherever they stand in it. */
export function withoutFields(response: HttpResponse, keys: readonly string[]): HttpResponse {
  const strip = (key: string, value: unknown): unknown => (keys.includes(key) ? undefined : value);
  return changed(response, (body) => Object(JSON.parse(JSON.stringify(body, strip))));
}

export function changed(response: HttpResponse, change: (body: Fields) => Fields): HttpResponse {
  const body: unknown = typeof response.body === "string" ? JSON.parse(response.body) : undefined;
  return isFields(body) ? { ...response, body: JSON.stringify(change(body)) } : response;
}
