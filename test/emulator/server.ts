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
  else await send(response, outcome);
}

async function send(response: ServerResponse, { status, headers = {}, body = "" }: Answer): Promise<void> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  response.writeHead(status, { ...(status !== 204 && { "content-type": "application/json" }), ...headers });
  if (typeof body === "function") {
    return pour(body(), response);
  }
  response.end(isRaw ? body : JSON.stringify(body));
}

/** Sends one block after the other. A break comes when all before it has left, and is one of the connection. */
async function pour(blocks: Iterable<Uint8Array>, response: ServerResponse): Promise<void> {
  try {
    for (const block of blocks) {
      if (response.destroyed) return;
      await new Promise<void>((resolve, reject) => {
        // A client that breaks off itself never takes the block.
        response.once("close", reject).write(block, () => resolve(void response.off("close", reject)));
      });
    }
    response.end();
  } catch {
    response.destroy();
  }
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
