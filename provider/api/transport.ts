import type { Dispatcher } from "undici";
import { MOST_AT_ONCE } from "../wait/scheduler.ts";

/** One request, as a transport is to send it: `signal` ends it. */
export interface HttpRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly url: string;
  /** The URL's path with `{}` for an id. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

/** Its answer, whatever the status. */
export interface HttpResponse {
  readonly status: number;
  /** The first value of the header `name` (lower case). */
  header(name: string): string | undefined;
  /** An error when it broke off, or was too large. */
  readonly body: string | Error;
}

/** Sends one HTTP request and reads its answer whole. Follows no redirects, repeats nothing. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** No answer of this API is anywhere near this size; a larger one is refused before it fills the memory. */
export const LARGEST_ANSWER_BYTES: number = 16 * 1024 * 1024;

let shared: Promise<Transport> | undefined;

/**
 * The transport of this process. undici is loaded at the first request: programs and previews never need it.
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are obeyed.
 */
export const undiciTransport: Transport = async (request) => (await (shared ??= loadTransport()))(request);

async function loadTransport(): Promise<Transport> {
  const { EnvHttpProxyAgent, request } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    connections: MOST_AT_ONCE,
    connect: { timeout: 10_000 },
    // Every request has a limit of its own; this is as long as the longest of them.
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    keepAliveTimeout: 10_000,
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });
  return async ({ method, url, headers, body, signal }) => {
    const response = await request(url, { method, headers, body, signal, dispatcher });
    return {
      status: response.statusCode,
      header(name) {
        const value = response.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body: await response.body.text().catch(asError),
    };
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
