import { type Api, createApi } from "../api/client.ts";
import { type Transport, undiciTransport } from "../api/transport.ts";
import { type Clock, realClock } from "../wait/clock.ts";
import { startLimit } from "../wait/limit.ts";
import { createScheduler, type Scheduler } from "../wait/scheduler.ts";
import { watchCancel } from "./cancel.ts";
import { connectEngine, type Engine, watchEngine } from "./engine.ts";
import { scrubber } from "./scrub.ts";
import type { AccountSettings, Config } from "./settings.ts";
import { startTrace, type Trace } from "./trace.ts";

/** The process that the hooks run in: everything that a test puts something else in place of. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly scheduler: Scheduler;
  readonly engine: Engine | undefined;
  readonly trace: Trace;
  /** One client for each account, shared by all hooks. */
  readonly apis: Map<string, Api>;
  /** Stops a running hook's waits, at Ctrl-C. */
  readonly stops: Set<() => void>;
  isCancelled: boolean;
  config: Config | undefined;
}

export type HostParts = Partial<Pick<Host, "env" | "clock" | "transport" | "engine">>;

export function createHost({
  env = process.env,
  clock = realClock,
  transport = undiciTransport,
  engine,
}: HostParts = {}): Host {
  const trace = startTrace(env["TENSORPOOL_TRACE"], clock, (message) => {
    engine?.log({ severity: "warning", message }).catch(() => undefined);
  });
  const scheduler = createScheduler(clock, Math.random, (fromMs, untilMs) => trace.pause(fromMs, untilMs));
  return {
    env,
    clock,
    transport,
    scheduler,
    engine,
    trace,
    apis: new Map(),
    stops: new Set(),
    isCancelled: false,
    config: undefined,
  };
}

/** The host of a real provider process: hears Ctrl-C, and ends when the engine has died. */
export function processHost(): Host {
  const engine = connectEngine(process.argv);
  const host = createHost({ engine });
  watchCancel(() => cancel(host));
  if (engine === undefined) return host;
  // A runner that cancels a job sends it to all processes, and not to the engine alone. A second one ends this process.
  process.once("SIGTERM", () => cancel(host));
  watchEngine(engine, () => process.exit(1));
  return host;
}

export function cancel(host: Host): void {
  host.isCancelled = true;
  for (const stop of host.stops) stop();
}

export function apiOf(host: Host, { baseUrl, key, advice }: AccountSettings): Api {
  const name = JSON.stringify([baseUrl, key]);
  const known = host.apis.get(name);
  if (known !== undefined) return known;
  const { scheduler, clock } = host;
  const transport = host.trace.transport(host.transport, scrubber(key));
  const api = createApi({ baseUrl, key, transport, scheduler, clock, advice });
  host.apis.set(name, api);
  return api;
}

/** A signal that ends one hook's waits: at Ctrl-C, or after `limitMs`. `end` must be called when the hook is through. */
export function stopSignal(host: Host, limitMs: number): { signal: AbortSignal; end: () => void } {
  const { signal, stop, end } = startLimit(host.clock, limitMs);
  if (host.isCancelled) stop();
  host.stops.add(stop);
  return {
    signal,
    end() {
      host.stops.delete(stop);
      end();
    },
  };
}
