import * as routes from "../api/routes.ts";
import { type RequestInfo, requestInfo } from "../api/wire.ts";
import { type Verdict, waitForRequest } from "../wait/request.ts";
import { type CallOptions, type Core, run } from "./run.ts";

/** Accepted changes that go on at the server. */
export interface Requests {
  /** How a request stands; asked for when its `Retry-After` allows. */
  get(requestId: string, options?: CallOptions): Promise<RequestInfo>;
  /**
   * Waits for the server's verdict and never asks earlier than its `Retry-After` allows.
   * @throws RequestFailedError when the verdict is FAILED
   * @throws StoppedError when the signal or the time limit ends the wait
   */
  wait(requestId: string, options?: CallOptions): Promise<Verdict>;
}

export function requestCalls(core: Core): Requests {
  return {
    get: (id, options = {}) =>
      run(core, `get request ${id}`, options, async ({ api, signal }) => {
        const { body, askAgainAtMs } = await api.call(routes.requestInfo, {
          id,
          signal,
          notBeforeMs: core.askAfterMs.get(id) ?? 0,
        });
        core.askAfterMs.set(id, askAgainAtMs ?? 0);
        return requestInfo(body);
      }),
    wait: (requestId, options = {}) =>
      run(core, `complete request ${requestId}`, options, (context) => {
        const pending = { requestId, sinceMs: context.clock.now(), askAfterMs: core.askAfterMs.get(requestId) ?? 0 };
        return waitForRequest(context, pending, (atMs) => void core.askAfterMs.set(requestId, atMs));
      }),
  };
}
