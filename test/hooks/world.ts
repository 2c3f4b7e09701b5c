import { type HttpRequest, type HttpResponse, type Transport, undiciTransport } from "../../provider/api/transport.ts";
import type { EngineLine } from "../../provider/hooks/engine.ts";
import { type Emulator, type EmulatorOptions, type RequestEntry, startEmulator } from "../emulator/index.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";
import { type Process, type ProcessOptions, startProcess } from "./process.ts";

/** A line as the engine got it. */
export interface Line extends EngineLine {
  readonly atMs: number;
}

/** Stands between the processes and the API: may see, change and answer everything. */
export type Between = (request: HttpRequest, send: Transport) => Promise<HttpResponse>;

/** One API over loopback HTTP on virtual time, and the provider processes that use it. */
export interface World extends AsyncDisposable {
  readonly api: Emulator;
  readonly clock: VirtualClock;
  /** What all processes have shown. */
  readonly lines: Line[];
  /** A fresh provider process, with nothing in its memory. */
  start(options?: ProcessOptions): Process;
  /** The outcome of `promise`, while time jumps ahead whenever nothing else is going on. */
  run<T>(promise: Promise<T>): Promise<T>;
  /** The seconds that `promise` takes to settle, either way. */
  seconds(promise: Promise<unknown>): Promise<number>;
  /** The requests since the start or the last call of this, such as `"POST /cluster/create"`. */
  requests(): string[];
  entries(): readonly RequestEntry[];
}

export async function startWorld(
  options: Omit<EmulatorOptions, "clock"> = {},
  between: Between = (request, send) => send(request),
): Promise<World> {
  // Between two sleeps there is one real timer at most, that of p-wait-for.
  const clock = virtualClock({ quietRounds: 2 });
  const api = await startEmulator({ operationSeconds: 5, retryAfterSeconds: 5, ...options, clock: clock.behindBusy });
  // Time stands still while an answer is outstanding: no virtual time limit can overtake real sockets.
  const transport = clock.whileBusy((request: HttpRequest) => between(request, undiciTransport));
  const lines: Line[] = [];
  let told = 0;
  const world: World = {
    api,
    clock,
    lines,
    start: (own = {}) => startProcess({ url: api.url, clock, transport, lines }, own),
    run: (promise) => clock.run(promise),
    async seconds(promise) {
      const sinceMs = clock.now();
      await clock.run(promise.catch(() => undefined));
      return (clock.now() - sinceMs) / 1_000;
    },
    entries: () => api.ledger().requests,
    requests() {
      const all = api.ledger().requests;
      const since = all.slice(told).map(({ method, path }) => `${method} ${path}`);
      told = all.length;
      return since;
    },
    [Symbol.asyncDispose]: () => api.close(),
  };
  return world;
}
