import * as pulumi from "@pulumi/pulumi";
import * as tensorpool from "pulumi-tensorpool";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Emulator, startEmulator } from "../emulator/index.ts";
import { valueOf } from "./program.ts";

const { Cluster, Provider, getCluster, getClusterOutput, getClusters, getClustersOutput, getStorageVolumeOutput } =
  tensorpool;

interface Run<T> {
  readonly result: T;
  readonly calls: readonly pulumi.runtime.MockCallArgs[];
}

interface Engine {
  /** Whether functions ask the mocks, as in users' unit tests; else they ask the API, as under the engine. @default false */
  readonly mocksFunctions?: boolean;
  readonly isPreview?: boolean;
}

/** Runs a program to its end in a stack of its own. In a preview, no custom resource has an id yet. */
async function run<T>(
  program: () => T | Promise<T>,
  { mocksFunctions, isPreview = false }: Engine = {},
): Promise<Run<T>> {
  const calls: pulumi.runtime.MockCallArgs[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs, type }) => ({
        id: isPreview && !type.startsWith("pulumi:providers:") ? undefined : `${name}-id`,
        state: inputs,
      }),
      call(args) {
        calls.push(args);
        return { id: "c-mock", clusters: [] };
      },
    },
    "project",
    "stack",
    isPreview,
  );
  if (mocksFunctions !== true) {
    const monitor = pulumi.runtime.getMonitor() ?? {};
    // All of the mocks but the name that gives them away.
    const engine = new Proxy(monitor, { has: (target, key) => key !== "mocks" && key in target });
    pulumi.runtime.setMockOptions(engine, "project", "stack", isPreview);
  }
  let result: { readonly value: T } | undefined;
  await pulumi.runtime.runInPulumiStack(async () => {
    result = { value: await program() };
  });
  await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
  if (result === undefined) throw new Error("Cannot run the program: it never came to its end");
  return { result: result.value, calls };
}

function factsOf(output: pulumi.Output<unknown>): Promise<readonly [isKnown: boolean, isSecret: boolean]> {
  const { isKnown, isSecret } = output as unknown as { isKnown: Promise<boolean>; isSecret: Promise<boolean> };
  return Promise.all([isKnown, isSecret]);
}

let api: Emulator;
beforeEach(async () => {
  api = await startEmulator({ keys: ["test-key", "of-research"] });
  vi.stubEnv("TENSORPOOL_ENGINE", api.url);
  vi.stubEnv("TENSORPOOL_KEY", "test-key");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await api.close();
});
const asked = (): string[] => api.ledger().requests.map(({ method, path }) => `${method} ${path}`);

test("under setMocks each function asks call() by its own token, in both forms, and nothing of the API", async () => {
  const names = Object.keys(tensorpool).filter((name) => name.startsWith("get"));
  const plain = names.filter((name) => !name.endsWith("Output"));
  expect(names).toHaveLength(2 * plain.length);
  expect(plain).toHaveLength(8);
  const functions = tensorpool as unknown as Record<string, (args?: object) => unknown>;
  const { calls } = await run(
    async () => {
      for (const name of plain) await functions[name]?.(name.endsWith("s") ? {} : { id: "x" });
      for (const name of plain) functions[`${name}Output`]?.(name.endsWith("s") ? {} : { id: pulumi.output("x") });
    },
    { mocksFunctions: true },
  );
  const tokens = plain.map((name) => `tensorpool:index:${name}`);
  expect(calls.map(({ token }) => token).slice(0, 8)).toEqual(tokens);
  expect(
    calls
      .map(({ token }) => token)
      .slice(8)
      .sort(),
  ).toEqual([...tokens].sort());
  expect(calls.filter(({ token }) => token.endsWith(":getJob")).map(({ inputs }) => inputs)).toEqual([
    { id: "x" },
    { id: "x" },
  ]);
  expect(asked()).toEqual([]);
});

test("both forms give the same and ask once, and the program's end waits for an answer that nobody awaits", async () => {
  const id = api.addCluster({ name: "train", num_nodes: 2, instance_type: "8xH200" });
  let late: unknown;
  const { result } = await run(async () => {
    void getClusters().then((all) => (late = all));
    return { plain: getCluster({ name: "train" }), output: getClusterOutput({ name: pulumi.output("train") }) };
  });
  expect(late).toMatchObject({ clusters: [{ id, numNodes: 2 }] });
  expect(await result.plain).toMatchObject({ id, name: "train", instanceType: "8xH200" });
  expect(await valueOf(result.output)).toEqual(await result.plain);
  // By name: the personal list and the organization's, then the cluster itself.
  expect(asked().sort()).toEqual([`GET /cluster/info/${id}`, ...Array(3).fill("GET /cluster/list")]);
});

test("another stack of the same process asks anew", async () => {
  const before = await run(() => getClusters());
  const id = api.addCluster();
  const after = await run(() => getClusters());
  expect([before.result.clusters, after.result.clusters.map((one) => one.id)]).toEqual([[], [id]]);
});

test("in a preview an output is unknown and asks nothing while a resource behind its arguments is yet to be created", async () => {
  api.addCluster({ name: "there" });
  const args: tensorpool.ClusterArgs = { instanceType: "1xH100", publicKeys: ["k"], name: "new" };
  const { result } = await run(
    () => {
      const cluster = new Cluster("new", args);
      return [
        getClusterOutput({ name: cluster.name }),
        getClusterOutput({ id: cluster.id }),
        getClusterOutput({ name: "there" }),
      ];
    },
    { isPreview: true },
  );
  expect((await Promise.all(result.map(factsOf))).map(([isKnown]) => isKnown)).toEqual([false, false, true]);
  expect(asked()).toHaveLength(3);
});

test("a provider, given or handed on by a parent, is asked with its own key, which makes no secret of the answer", async () => {
  const [mine, theirs] = [api.addCluster(), api.addCluster({ account: "of-research" })];
  vi.stubEnv("RESEARCH_KEY", "of-research");
  const { result } = await run(async () => {
    const provider = new Provider("research", { apiKey: "of-research" });
    const byName = new Provider("by-name", { apiKeyEnv: "RESEARCH_KEY" });
    const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { providers: [provider] });
    return {
      own: getClusters(),
      given: getClusters({}, { provider }),
      byName: getClusters({}, { provider: byName }),
      handedOn: getClustersOutput({}, { parent, async: true }),
    };
  });
  const ids = (all: tensorpool.GetClustersResult): string[] => all.clusters.map(({ id }) => id);
  expect(ids(await result.own)).toEqual([mine]);
  expect(ids(await result.given)).toEqual([theirs]);
  expect(ids(await result.byName)).toEqual([theirs]);
  expect(await valueOf(result.handedOn)).toEqual(await result.given);
  expect(await factsOf(result.handedOn)).toEqual([true, false]);
  expect(asked()).toHaveLength(2);
});

test("settings of a provider that a preview does not know make an output unknown, and the plain form an error", async () => {
  const { result } = await run(
    async () => {
      const { id } = new tensorpool.SshKey("made-first", { publicKey: "ssh-ed25519 AAAA" });
      const provider = new Provider("research", { apiKey: id });
      return {
        output: getClustersOutput({}, { provider }),
        message: await getClusters({}, { provider }).catch((error: Error) => error.message),
      };
    },
    { isPreview: true },
  );
  expect((await factsOf(result.output))[0]).toBe(false);
  expect(result.message).toContain(
    "Cannot call getClusters: the settings of its Provider are not known in this preview",
  );
  expect(asked()).toEqual([]);
});

test("the keys of object storage are secret in both forms", async () => {
  await fetch(`${api.url}/object-storage/enable`, { method: "POST", headers: { authorization: "Bearer test-key" } });
  const { result } = await run(async () => ({
    plain: await tensorpool.getObjectStorageCredentials(),
    output: tensorpool.getObjectStorageCredentialsOutput(),
  }));
  const { accessKeyId, secretAccessKey, ...open } = result.plain;
  expect(open).toEqual({ endpoint: "https://s3.example.com", region: "auto" });
  for (const one of [accessKeyId, secretAccessKey, result.output, result.output.secretAccessKey]) {
    expect(await factsOf(one)).toEqual([true, true]);
  }
  expect(await valueOf(result.output)).toEqual({
    ...open,
    accessKeyId: await valueOf(accessKeyId),
    secretAccessKey: await valueOf(secretAccessKey),
  });
});

test("a secret argument makes a secret of the answer", async () => {
  const id = api.addVolume({ name: "data" });
  const { result } = await run(() => getStorageVolumeOutput({ id: pulumi.secret(id) }));
  expect(await factsOf(result)).toEqual([true, true]);
});

test.for([
  ["no key is set", { TENSORPOOL_KEY: "" }, "Cannot call the TensorPool API: no API key is set"],
  ["there is no such cluster", {}, 'Cannot find cluster "c-9"'],
] as const)("an error that ends the program with its message alone comes when %s", async ([, env, message]) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const { result } = await run(() => getCluster({ id: "c-9" }).catch((error: unknown) => error));
  expect(pulumi.RunError.isInstance(result)).toBe(true);
  expect((result as Error).message).toContain(message);
});

test("config holds the key where the environment does not", async () => {
  vi.stubEnv("TENSORPOOL_KEY", "");
  pulumi.runtime.setAllConfig({ "tensorpool:apiKey": "of-research" }, ["tensorpool:apiKey"]);
  const theirs = api.addCluster({ account: "of-research" });
  const { result } = await run(() => getClusters());
  expect(result.clusters.map(({ id }) => id)).toEqual([theirs]);
});
