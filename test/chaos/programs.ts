import type { Declared } from "../engine/program.ts";
import { reference } from "../engine/program.ts";
import type { Dice } from "./dice.ts";

const PLAIN_TYPES = ["1xH100", "8xH100", "1xB200", "1xL40S"] as const;
const CPU_TYPES = ["32xCPU", "64xCPU"] as const;
const MOST_RESOURCES = 8;

/** A program that changes as its user edits it. */
export interface Author {
  program(): Declared[];
  /**
   * One random edit; says which. What is unsettled is neither taken out nor given another name: the messages and the
   * README ask for an `up` first, which alone can find what an interrupted one has bought.
   */
  edit(unsettled: readonly string[]): string;
  /** Changes arguments of one resource, as a message of the package has asked the user to. */
  change(name: string, inputs: Readonly<Record<string, unknown>>): void;
  /** Switches `protect` off everywhere. */
  unprotect(): void;
}

/** @param mayWait whether clusters may wait for capacity, which takes half a minute and more */
export function createAuthor(dice: Dice, mayWait: boolean): Author {
  let all: Declared[] = [];
  let count = 0;
  const next = (): number => (count += 1);

  const key = (): string => `ssh-ed25519 AAAAchaos${dice.whole(0, 10 ** 9)}k${next()} me@laptop`;
  const of = (kind: Declared["kind"]): Declared[] => all.filter((one) => one.kind === kind);
  const size = (): object =>
    dice.chance(0.6)
      ? { instanceType: dice.pick(CPU_TYPES) }
      : { instanceType: dice.pick(["8xH200", "8xB200"]), numNodes: dice.whole(2, 3) };

  function options(): Pick<Declared, "timeouts" | "protect"> {
    return {
      ...(dice.chance(0.2) && { timeouts: { create: dice.whole(5, 300), delete: dice.whole(120, 400) } }),
      ...(dice.chance(0.04) && { protect: true }),
    };
  }

  function addCluster(): void {
    const takesStorage = dice.chance(0.6);
    const inputs = {
      ...(takesStorage ? size() : { instanceType: dice.pick(PLAIN_TYPES) }),
      sshKeyId: reference("key"),
      ...(dice.chance(0.2) && { name: `prod-${next()}` }),
      ...(dice.chance(0.1) && { deletionProtection: true }),
    };
    const wait = mayWait && dice.chance(0.3) ? { capacityTimeout: dice.pick(["1m", "10m", "1h"]) } : undefined;
    // A time limit of the create would have to be longer.
    const { protect, timeouts } = options();
    const limits = timeouts !== undefined && wait === undefined && { timeouts };
    const name = `${takesStorage ? "cpu" : "gpu"}${next()}`;
    all.push({ kind: "cluster", name, inputs: { ...inputs, ...wait }, ...(protect && { protect }), ...limits });
  }

  function addVolume(): void {
    const inputs = {
      sizeGb: dice.whole(1, 9) * 100,
      ...(dice.chance(0.2) && { name: `data-${next()}` }),
      ...(dice.chance(0.1) && { deletionProtection: true }),
    };
    all.push({ kind: "storageVolume", name: `volume${next()}`, inputs, ...options() });
  }

  function addBucket(): void {
    all.push({ kind: "bucket", name: `bucket${next()}`, inputs: dice.chance(0.2) ? { name: `models-${next()}` } : {} });
  }

  function addAttachment(): boolean {
    const clusters = of("cluster").filter(({ name }) => name.startsWith("cpu"));
    const volumes = of("storageVolume");
    if (clusters.length === 0 || volumes.length === 0) return false;
    const [cluster, volume] = [dice.pick(clusters).name, dice.pick(volumes).name];
    const name = `${volume}-on-${cluster}`;
    if (all.some((one) => one.name === name)) return false;
    const inputs = { clusterId: reference(cluster), storageId: reference(volume) };
    all.push({ kind: "storageAttachment", name, inputs, ...(dice.chance(0.2) && { timeouts: { create: 60 } }) });
    return true;
  }

  function add(): void {
    if (all.length >= MOST_RESOURCES) return;
    if (dice.chance(0.35) && addAttachment()) return;
    if (dice.chance(0.1)) addBucket();
    else if (dice.chance(0.5)) addCluster();
    else addVolume();
  }

  function change(name: string, inputs: Readonly<Record<string, unknown>>): void {
    all = all.map((one) => (one.name === name ? { ...one, inputs: { ...one.inputs, ...inputs } } : one));
  }

  const dependsOn = (one: Declared, name: string): boolean =>
    one.name === name || one.name.startsWith(`${name}-on-`) || one.name.endsWith(`-on-${name}`);

  function remove(unsettled: readonly string[]): string {
    const isFree = (name: string): boolean =>
      name !== "key" && !all.some((one) => dependsOn(one, name) && unsettled.includes(one.name));
    const removable = all.filter(({ name }) => isFree(name));
    if (removable.length <= 1) return "nothing";
    const { name } = dice.pick(removable);
    all = all.filter((one) => !dependsOn(one, name));
    return `remove ${name}`;
  }

  function alter(unsettled: readonly string[]): string {
    const one = dice.pick(all);
    const what = alteration(one);
    if ("name" in what && one.inputs["name"] !== undefined && unsettled.includes(one.name)) return "nothing";
    change(one.name, what);
    return `change ${one.name} ${JSON.stringify(what)}`;
  }

  function alteration({ kind, name, inputs }: Declared): Readonly<Record<string, unknown>> {
    if (kind === "sshKey") return { publicKey: key() };
    if (kind === "storageAttachment") return {};
    if (kind === "bucket") return { name: `models-${next()}` };
    if (dice.chance(0.2)) return { deletionProtection: inputs["deletionProtection"] !== true };
    if (dice.chance(0.2)) return { name: `renamed-${next()}` };
    if (kind === "storageVolume") return { sizeGb: Number(inputs["sizeGb"]) + 100 };
    if (!name.startsWith("cpu")) return { instanceType: dice.pick(PLAIN_TYPES) };
    return { numNodes: undefined, ...size() };
  }

  all.push({ kind: "sshKey", name: "key", inputs: { publicKey: key() } });
  for (let wanted = dice.whole(1, MOST_RESOURCES - 1); wanted > 0; wanted -= 1) add();
  return {
    program: () => [...all],
    change,
    edit(unsettled) {
      if (dice.chance(0.2)) return remove(unsettled);
      if (dice.chance(0.3)) {
        add();
        return `add ${all.at(-1)?.name}`;
      }
      return alter(unsettled);
    },
    unprotect() {
      all = all.map((one) => ({ ...one, protect: false }));
    },
  };
}
