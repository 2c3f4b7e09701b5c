import { type Transport, undiciTransport } from "../../provider/api/transport.ts";
import { type Client, createClient } from "../../provider/client/index.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../emulator/index.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";

/** One API over loopback HTTP on virtual time, and a client of it. */
export interface ClientWorld extends AsyncDisposable {
  readonly api: Emulator;
  readonly client: Client;
  readonly clock: VirtualClock;
  /** Time stands still while it is busy. */
  readonly transport: Transport;
  /** The outcome of `promise`, while time jumps ahead whenever nothing else is going on. */
  run<T>(promise: Promise<T>): Promise<T>;
  /** How often the API was asked for `call`, such as `"POST /cluster/create"`. */
  count(call: string): number;
}

export async function startClientWorld(options: Omit<EmulatorOptions, "clock"> = {}): Promise<ClientWorld> {
  const clock = virtualClock({ quietRounds: 2 });
  const api = await startEmulator({ operationSeconds: 5, retryAfterSeconds: 5, ...options, clock: clock.behindBusy });
  const transport = clock.whileBusy(undiciTransport);
  return {
    api,
    clock,
    transport,
    client: createClient({ apiKey: "test-key", baseUrl: api.url, env: {}, clock, transport }),
    run: (promise) => clock.run(promise),
    count: (call) => api.ledger().requests.filter(({ method, path }) => `${method} ${path}` === call).length,
    [Symbol.asyncDispose]: () => api.close(),
  };
}

/** What a promise is rejected with. */
export async function thrown(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
