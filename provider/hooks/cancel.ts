import { channel } from "node:diagnostics_channel";

const CANCEL_PATH = "/pulumirpc.ResourceProvider/Cancel";

/**
 * Calls `onCancel` when the engine cancels: at the first Ctrl-C, and at the end of every run. The Node host itself only
 * acknowledges that call, so it is observed on Node's own channel for HTTP/2 streams, which Node 20 does not have:
 * without it waits simply go on.
 */
export function watchCancel(onCancel: () => void): void {
  channel("http2.server.stream.start").subscribe((message) => {
    if (pathOf(message) === CANCEL_PATH) onCancel();
  });
}

function pathOf(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("headers" in message)) return undefined;
  const { headers } = message;
  return typeof headers === "object" && headers !== null && ":path" in headers ? headers[":path"] : undefined;
}
