import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "../emulator/index.ts";
import { createStack, type Stack, type StackOptions } from "./cli.ts";

export const PUBLIC_KEY: string = `ssh-ed25519 ${"A".repeat(68)} me@laptop`;
export const OTHER_KEY: string = `ssh-ed25519 ${"B".repeat(68)} me@laptop`;

const IMPORTS = `
import * as pulumi from "@pulumi/pulumi";
import { Bucket, Cluster, SshKey, StorageAttachment, StorageVolume } from "pulumi-tensorpool";
const publicKeys = ["${PUBLIC_KEY}"];
`;

/** All four resources, as anybody would write them. */
export const ALL_FOUR: string = `
const key = new SshKey("me", { publicKey: "${PUBLIC_KEY}" });
const cluster = new Cluster("train", { instanceType: "8xH200", numNodes: 2, sshKeyId: key.id });
const data = new StorageVolume("data", { sizeGb: 500 });
new StorageAttachment("data-on-train", { clusterId: cluster.id, storageId: data.id });
export const clusterId = cluster.id;
export const addresses = cluster.instances.apply((all) => all?.map((one) => one.ipAddress));
export const mountPath = data.mountPath;
`;

/** The files of a program of these statements; `publicKeys` is there for all. */
function programOf(statements: string): Record<string, string> {
  return { "index.ts": IMPORTS + statements };
}

/** One resource as the state file holds it. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
  readonly protect?: boolean;
  readonly delete?: boolean;
}

interface StateFile {
  readonly deployment: {
    readonly resources?: readonly StateResource[];
    readonly pending_operations?: readonly unknown[];
  };
}

export function sorted(ids: readonly (string | undefined)[]): string[] {
  return ids.map((id) => id ?? "(none)").sort((a, b) => (a < b ? -1 : 1));
}

/** A stack, and the emulator that it talks to. */
export interface Scene extends AsyncDisposable {
  readonly api: Emulator;
  readonly stack: Stack;
  /** Replaces the program. */
  write(statements: string): Promise<void>;
  /** The package's own resources in the state, in its order, without the Seed. */
  resources(): Promise<StateResource[]>;
  /** The one resource of that logical name. @throws Error when the state has none */
  resource(name: string): Promise<StateResource>;
  /** Ids of clusters and volumes in the state, sorted: what ought to be billed. */
  tracked(): Promise<string[]>;
  /** Ids of what is billed now, sorted. */
  readonly billed: () => string[];
  /** Ids of all that ever was. */
  readonly bought: () => string[];
  /** What was sent that changes something, as `POST /cluster/create`; from the `from`-th on. */
  readonly sent: (from?: number) => string[];
}

export type SceneOptions = Omit<StackOptions, "program"> & {
  readonly emulator?: EmulatorOptions;
  /** An emulator that is there already, which this scene does not close. */
  readonly api?: Emulator;
};

const READY: EmulatorOptions = { operationSeconds: 0.3, retryAfterSeconds: 0.2 };

/** A new stack with this program, on an emulator of its own whose operations are short. */
export async function openScene(statements: string, options: SceneOptions = {}): Promise<Scene> {
  const { emulator, api: given, env, ...rest } = options;
  await using cleanup = new AsyncDisposableStack();
  const api = given ?? cleanup.use(await startEmulator({ ...READY, ...emulator }));
  const stack = cleanup.use(
    await createStack({
      ...rest,
      program: programOf(statements),
      env: { TENSORPOOL_ENGINE: api.url, TENSORPOOL_KEY: "test-key", ...env },
    }),
  );
  const owned = cleanup.move();

  async function resources(): Promise<StateResource[]> {
    const { deployment } = (await stack.export()) as StateFile;
    const all = deployment.resources ?? [];
    return all.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/tensorpool:") && !type.endsWith(":Seed"));
  }

  return {
    api,
    stack,
    write: async (text) => writeFile(path.join(stack.folder, "index.ts"), programOf(text)["index.ts"] ?? ""),
    resources,
    async resource(name) {
      const all = await resources();
      const found = all.find(({ urn }) => urn.endsWith(`::${name}`));
      if (found !== undefined) return found;
      throw new Error(
        `Cannot find "${name}" in the state, which has ${all.map(({ urn }) => urn).join(", ") || "none"}`,
      );
    },
    async tracked() {
      const paid = (await resources()).filter(({ type }) => /:(Cluster|StorageVolume)$/.test(type));
      return sorted(paid.map(({ id }) => id));
    },
    billed: () => sorted(api.ledger().billed.map(({ id }) => id)),
    bought: () => api.ledger().everBilled.map(({ id }) => id),
    sent: (from = 0) => {
      const changes = api.ledger().requests.filter(({ method }) => method !== "GET");
      return changes.slice(from).map((request) => `${request.method} ${request.path}`);
    },
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}
