/**
 * Runs creates of one subject in virtual time, with the emulator in the same process: minutes pass in no time, so what
 * is left of the lag is what the subject's own rules add. Arguments: the subject, the setting and the number of creates,
 * as JSON. Prints what was observed as JSON.
 */
import { undiciTransport } from "../provider/api/transport.ts";
import { hooksOf } from "../provider/hooks/all.ts";
import { createHost } from "../provider/hooks/host.ts";
import { startEmulator } from "../test/emulator/index.ts";
import { type VirtualClock, virtualClock } from "../test/virtual-clock.ts";
import { envOf } from "./emulator.ts";
import { observed, optionsOf, type Setting } from "./operations.ts";
import { provider as handWritten } from "./subjects/hand-written/cluster.ts";
import { provider as withPRetry } from "./subjects/p-retry/cluster.ts";
import { type Buyer, propertiesOf } from "./subjects.ts";

interface Job {
  readonly subject: Buyer;
  readonly setting: Setting;
  readonly n: number;
}

type Create = (props: { readonly name: string }) => Promise<unknown>;

/** Time between two creates, so that their questions do not come all at once. */
const STAGGER_MS = 137;

const { subject, setting, n }: Job = JSON.parse(process.argv[2] ?? "{}");
const clock = virtualClock();
await using api = await startEmulator({ ...optionsOf(setting, n), clock });
const env = envOf({ url: api.url });
const properties = await propertiesOf(subject);
const create = createOf();
const returnedAtMs = new Map<string, number>();
const creates = Array.from({ length: n }, async (_, index) => {
  const props = { ...properties(index), name: `train-${index}` };
  await clock.sleep(index * STAGGER_MS);
  await create(props);
  returnedAtMs.set(props.name, clock.now());
});
await clock.run(Promise.all(creates));
process.stdout.write(JSON.stringify(observed(api.ledger(), returnedAtMs, setting)));

function createOf(): Create {
  if (subject === "A") {
    const { cluster } = hooksOf(createHost({ env, clock, transport: clock.whileBusy(undiciTransport) }));
    return (props) => cluster.create(props);
  }
  Object.assign(process.env, env);
  takeOver(clock);
  const provider = subject === "B" ? handWritten : withPRetry;
  return (props) => provider.create({ instanceType: "1xH100", publicKeys: [], ...props });
}

/** Puts virtual time under a subject that knows only Node's own: its waits, and HTTP during which time stands still. */
function takeOver(clock: VirtualClock): void {
  const { setTimeout: real, fetch } = globalThis;
  const patched = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown =>
    // A wait ends with a promise's own resolve; other timers are the clock's, and undici's for its connections.
    ms > 0 && String(callback).includes("[native code]") ? clock.sleep(ms).then(callback) : real(callback, ms, ...args);
  Object.assign(globalThis, { setTimeout: patched, fetch: clock.whileBusy(fetch) });
}
