import type { Transport } from "../../provider/api/transport.ts";
import { type KindName, providerText } from "../../provider/frozen.ts";
import { hooksOf } from "../../provider/hooks/all.ts";
import { cancel, createHost } from "../../provider/hooks/host.ts";
import type { Clock } from "../../provider/wait/clock.ts";
import { type CheckFailure, type DiffAnswer, InitFailed, type Props } from "../engine/plugin.ts";
import { standIn } from "../engine/stand-in.ts";
import type { Line } from "./world.ts";

export const KEY = "test-key";
const SEED = "5eed5eed5eed";
const SEED_URN = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tensorpool:Seed::tensorpool-seed";

export type Kind = Exclude<KindName, "seed">;

const CLASSES: Readonly<Record<Kind, string>> = {
  sshKey: "SshKey",
  cluster: "Cluster",
  storageVolume: "StorageVolume",
  storageAttachment: "StorageAttachment",
  bucket: "Bucket",
};

/** A resource as the state file keeps it. */
export interface Kept {
  readonly kind: Kind;
  readonly name: string;
  /** What the program says. */
  readonly args: Props;
  readonly id: string;
  readonly inputs: Props;
  readonly outputs: Props;
  /** Why it is not ready; empty when it is. */
  readonly reasons: readonly string[];
}

/** What the next `pulumi up` does with a resource. */
export interface Step {
  readonly kind: "same" | "update" | "replace";
  readonly kept: Kept;
}

export interface ProcessOptions {
  /** @default the emulator's address and its first key */
  readonly env?: Readonly<Record<string, string>>;
  /** Stack configuration. */
  readonly config?: Readonly<Record<string, string>>;
  /** Whether the engine has died. */
  readonly hasNoEngine?: () => boolean;
}

/** One provider process, driven as the engine drives it: all values go through the conversions of the Node host. */
export interface Process {
  check(kind: Kind, name: string, args: Props, olds?: Props): Promise<Checked>;
  /** Checks and creates. A resource that is not ready has reasons. @throws Error when nothing is to be kept */
  make(kind: Kind, name: string, args: Props): Promise<Kept>;
  /** The next `pulumi up`, by default with the same arguments. */
  again(kept: Kept, args?: Props): Promise<Step>;
  /** `pulumi refresh`; undefined when it is gone. */
  refresh(kept: Kept): Promise<Kept | undefined>;
  /** `.get`. @throws Error when there is no such object */
  get(kind: Kind, name: string, id: string): Promise<Kept>;
  /** What a refresh asks: how its inputs differ from what is there. */
  diff(kept: Kept): Promise<DiffAnswer>;
  destroy(kept: Kept): Promise<void>;
  /** The end of the stack: deletes its Seed. */
  forget(seed?: Props): Promise<void>;
  /** The first Ctrl-C. */
  cancel(): void;
}

interface Checked {
  readonly inputs: Props;
  readonly failures: readonly CheckFailure[];
}

export interface Surroundings {
  readonly url: string;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly lines: Line[];
}

export function urnOf(kind: Kind, name: string): string {
  return `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tensorpool:${CLASSES[kind]}::${name}`;
}

export function startProcess({ url, clock, transport, lines }: Surroundings, options: ProcessOptions): Process {
  const { env, config = {}, hasNoEngine = () => false } = options;
  const host = createHost({
    env: { TENSORPOOL_ENGINE: url, TENSORPOOL_KEY: KEY, ...env },
    clock,
    transport,
    engine: {
      async log(line) {
        if (hasNoEngine()) throw new Error("14 UNAVAILABLE: No connection established");
        lines.push({ ...line, atMs: clock.now() });
      },
    },
  });
  const plugin = standIn({ hooks: { ...hooksOf(host) }, config });

  /** What the resource class adds to the program's arguments. */
  const hidden = (kind: Kind, name: string): Props => ({
    __provider: providerText(kind),
    __seed: SEED,
    __urn: urnOf(kind, name),
  });

  const check: Process["check"] = (kind, name, args, olds = {}) =>
    plugin.check(urnOf(kind, name), olds, { ...hidden(kind, name), ...args });

  async function checked(kind: Kind, name: string, args: Props, olds: Props = {}): Promise<Props> {
    const { inputs, failures } = await check(kind, name, args, olds);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return inputs;
  }

  /** The step's outcome as the engine keeps it; an update that has failed keeps the old inputs. */
  async function kept(
    resource: Pick<Kept, "kind" | "name" | "args" | "inputs">,
    step: Promise<Pick<Kept, "id" | "outputs">>,
    oldInputs = resource.inputs,
  ): Promise<Kept> {
    try {
      return { ...resource, ...(await step), reasons: [] };
    } catch (error) {
      if (!(error instanceof InitFailed)) throw error;
      return { ...resource, inputs: oldInputs, id: error.id, outputs: error.properties, reasons: error.reasons };
    }
  }

  async function make(kind: Kind, name: string, args: Props): Promise<Kept> {
    const inputs = await checked(kind, name, args);
    return kept({ kind, name, args, inputs }, plugin.create(urnOf(kind, name), inputs));
  }

  const self: Process = {
    check,
    make,
    async again(old, args = old.args) {
      const { kind, name, id, outputs: olds } = old;
      const urn = urnOf(kind, name);
      const inputs = await checked(kind, name, args, old.inputs);
      const { changes, replaces } = await plugin.diff(urn, id, olds, inputs);
      if (replaces.length > 0) {
        await self.destroy(old);
        return { kind: "replace", kept: await make(kind, name, args) };
      }
      // Reasons that are kept force an update, whatever diff says.
      if (changes === "none" && old.reasons.length === 0) return { kind: "same", kept: { ...old, args, inputs } };
      const update = plugin.update(urn, id, olds, inputs).then((outputs) => ({ id, outputs }));
      const now = await kept({ kind, name, args, inputs }, update, old.inputs);
      return { kind: "update", kept: { ...now, id } };
    },
    async refresh(old) {
      const { id, outputs, inputs } = await plugin.read(urnOf(old.kind, old.name), old.id, old.outputs);
      return id === "" ? undefined : { ...old, id, outputs, inputs: inputs ?? old.inputs, reasons: [] };
    },
    async get(kind, name, id) {
      const { outputs } = await plugin.read(urnOf(kind, name), id, { __provider: providerText(kind) });
      return { kind, name, args: {}, id, inputs: {}, outputs, reasons: [] };
    },
    diff: (old) => plugin.diff(urnOf(old.kind, old.name), old.id, old.outputs, old.inputs),
    destroy: (old) => plugin.delete(urnOf(old.kind, old.name), old.id, old.outputs),
    forget: (seed = {}) => plugin.delete(SEED_URN, SEED, { value: SEED, __provider: providerText("seed"), ...seed }),
    cancel: () => cancel(host),
  };
  return self;
}
