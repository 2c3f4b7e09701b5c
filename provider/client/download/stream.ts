/** An answer of a file server, whose body is read as it comes. */
export interface Streamed {
  readonly status: number;
  /** The first value of the header `name` (lower case). */
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives the connection back when the body is not wanted. */
  drop(): Promise<void>;
}

type OpenUrl = (url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Streamed>;

/** A server that sends nothing for this long is taken to have broken off. */
const SILENCE_MS = 30_000;

let shared: Promise<OpenUrl> | undefined;

/** Asks for a file by its URL alone: nothing of the API, and no key, goes with it. Follows no redirects. */
export const openUrl: OpenUrl = async (url, headers, signal) => (await (shared ??= load()))(url, headers, signal);

async function load(): Promise<OpenUrl> {
  const { EnvHttpProxyAgent, request } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: 10_000 },
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    keepAliveTimeout: 10_000,
  });
  return async (url, headers, signal) => {
    const { statusCode, headers: given, body } = await request(url, { headers: { ...headers }, signal, dispatcher });
    return {
      status: statusCode,
      header(name) {
        const value = given[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body,
      async drop() {
        await body.dump().catch(() => undefined);
      },
    };
  };
}
