import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import type { Incoming, Outcome } from "./service.ts";

/** Far more than any call of this API needs. */
const LARGEST_BODY_BYTES = 2 ** 20;

export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Listens on the loopback address alone. @throws the listen error, such as EADDRINUSE */
export async function listen(port: number, respond: (incoming: Incoming) => Promise<Outcome>): Promise<Listening> {
  const closing = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response, closing.signal, respond).catch((error: unknown) => {
      // After `close` nobody waits for an answer; anything else is a bug of this emulator and must be seen.
      if (!closing.signal.aborted && !request.destroyed) console.error(error);
      request.socket.destroy();
    });
  });
  const url = `http://127.0.0.1:${await started(server, port)}`;
  return {
    url,
    close() {
      closing.abort();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function started(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  respond: (incoming: Incoming) => Promise<Outcome>,
): Promise<void> {
  const { method = "GET", headers } = request;
  const url = new URL(`http://127.0.0.1${request.url ?? "/"}`);
  const outcome = await respond({ method, url, headers, signal, readBody: () => readBody(request) });
  if (outcome === "lost") request.socket.destroy();
  else if (outcome === "reset") request.socket.resetAndDestroy();
  else send(response, outcome);
}

function send(response: ServerResponse, { status, headers = {}, body = "" }: Answer): void {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  response.writeHead(status, { ...(status !== 204 && { "content-type": "application/json" }), ...headers });
  response.end(isRaw ? body : JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) continue;
    bytes += chunk.length;
    if (bytes > LARGEST_BODY_BYTES) throw new RangeError(`Cannot read a body of more than ${LARGEST_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
