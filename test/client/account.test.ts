import { expect, test } from "vitest";
import { type Account, accountOf } from "../../provider/functions/account.ts";
import { type Emulator, type EmulatorOptions, type Fault, startEmulator } from "../emulator/index.ts";
import { startClientWorld, thrown } from "./world.ts";

interface Scene extends AsyncDisposable {
  readonly api: Emulator;
  /** The account of this key, as one run of a program has it; each object stands for a run. */
  account(run?: object, key?: string): Account;
  /** What the API was asked, as `GET /cluster/list`. */
  asked(): string[];
}

async function startScene(options: EmulatorOptions = {}): Promise<Scene> {
  const api = await startEmulator(options);
  return {
    api,
    account: (run = {}, key = "test-key") =>
      accountOf(run, { TENSORPOOL_ENGINE: api.url, TENSORPOOL_KEY: key }, undefined),
    asked: () => api.ledger().requests.map(({ method, path }) => `${method} ${path}`),
    [Symbol.asyncDispose]: () => api.close(),
  };
}

test("an object is found by its id, and by its name also among the organization's", async () => {
  await using scene = await startScene();
  const { api } = scene;
  const account = scene.account();
  const id = api.addCluster({ name: "train", instance_type: "8xH200", num_nodes: 2 });
  const storageId = api.addVolume({ name: "data", size_gb: 500, owner: "organization" });
  const jobId = api.addJob({ status: "running" });
  const train = { id, name: "train", instanceType: "8xH200", numNodes: 2, status: "RUNNING" };
  expect(await account.cluster({ id })).toMatchObject(train);
  expect(await account.cluster({ name: "train" })).toMatchObject(train);
  expect(await account.storageVolume({ name: "data" })).toMatchObject({ id: storageId, sizeGb: 500 });
  expect(await account.job({ id: jobId })).toMatchObject({ id: jobId, status: "running" });
  expect(await account.storageVolumes({})).toEqual({ storageVolumes: [] });
  expect(await account.storageVolumes({ includeOrg: true })).toMatchObject({ storageVolumes: [{ name: "data" }] });
});

/** The emulator keeps names unique: this list does not. */
function listOnce(api: Emulator, clusters: readonly object[]): void {
  api.addFault({ kind: "status", status: 200, body: { clusters }, times: 2, on: "GET /cluster/list" });
}

test("what is not there, or not alone of its name, is an error that says so", async () => {
  await using scene = await startScene({ goneAs: "record" });
  const account = scene.account();
  const gone = scene.api.addCluster({ name: "old", status: "DESTROYED" });
  const twins = ["c-1", "c-2"].map((id) => ({ id, name: "twin" }));
  for (const [args, why] of [
    [{ id: "c-9" }, 'cluster "c-9": the API knows no c-9, or does not show it to this API key'],
    [{ id: gone }, `cluster "${gone}": it is destroyed`],
    [{ name: "twin" }, 'cluster "twin": 2 have this name: c-1, c-2. Look for it by its id'],
    [{ name: "none" }, 'cluster "none": none of the 2 that this API key shows has this name'],
  ] as const) {
    listOnce(scene.api, [...twins, { id: "c-3", name: "none", status: "destroyed" }]);
    expect((await thrown(account.cluster(args))).message).toBe(`Cannot find ${why}`);
  }
});

test("a name that is on its way out with one cluster finds the next one", async () => {
  await using scene = await startScene();
  const id = scene.api.addCluster({ name: "train" });
  listOnce(scene.api, [
    { id: "c-old", name: "train", status: "DESTROYING" },
    { id, name: "train", status: "RUNNING" },
  ]);
  expect(await scene.account().cluster({ name: "train" })).toMatchObject({ id });
});

test.for([{}, { id: "" }, { name: " " }, { id: "c-1", name: "train" }])(
  "%j is refused before anything is sent",
  async (args) => {
    await using scene = await startScene();
    const refused = scene.account().cluster(args as { id: string });
    expect(await thrown(refused)).toMatchObject({
      name: "TypeError",
      message: expect.stringContaining("either its id or its name"),
    });
    expect(scene.asked()).toEqual([]);
  },
);

test("a question is asked once in a run, also while it is under way, and anew by another run or key", async () => {
  await using scene = await startScene({ keys: ["test-key", "other"] });
  scene.api.addCluster({ name: "train" });
  const run = {};
  const [first, second] = await Promise.all([scene.account(run).clusters({}), scene.account(run).clusters({})]);
  expect(await scene.account(run).clusters({ includeOrg: false })).toBe(first);
  expect(second).toBe(first);
  expect(scene.asked()).toEqual(["GET /cluster/list"]);
  expect(await scene.account(run, "other").clusters({})).toEqual({ clusters: [] });
  expect(await scene.account({}).clusters({})).toEqual(first);
  expect(scene.asked()).toHaveLength(3);
});

test("a question that has failed may be asked anew", async () => {
  await using scene = await startScene();
  const account = scene.account();
  await thrown(account.cluster({ name: "train" }));
  scene.api.addCluster({ name: "train" });
  expect(await account.cluster({ name: "train" })).toMatchObject({ name: "train" });
});

test.for<[string, Fault, number]>([
  ["of a rate limit is waited for", { kind: "too-many", retryAfter: 40 }, 41],
  ["of a server that does not answer is not", { kind: "slow", seconds: 3_600, times: "always" }, 11],
])("a quote that comes late because %s", async ([, fault, mostSeconds]) => {
  await using world = await startClientWorld({ faults: [{ ...fault, on: "GET /cluster/quote" }] });
  const env = { TENSORPOOL_ENGINE: world.api.url, TENSORPOOL_KEY: "test-key" };
  const account = accountOf({}, env, undefined, { clock: world.clock, transport: world.transport });
  const sinceMs = world.clock.now();
  const wish = { instanceType: "8xH200", numNodes: 2 };
  const answer = await world.run(account.quote(wish).catch(() => undefined));
  expect(answer).toEqual(fault.kind === "slow" ? undefined : { hourlyUsd: 47.84 });
  expect(world.clock.now() - sinceMs).toBeLessThanOrEqual(mostSeconds * 1_000);
});

test("credentials come whole, or the error names what is missing and no key", async () => {
  await using scene = await startScene({ omit: ["endpoint"] });
  const enable = { method: "POST", headers: { authorization: "Bearer test-key" } };
  await fetch(`${scene.api.url}/object-storage/enable`, enable);
  const { message } = await thrown(scene.account().credentials({}));
  expect(message).toBe("Cannot get the object storage credentials: the API's answer lacks endpoint");
  await using whole = await startScene();
  await fetch(`${whole.api.url}/object-storage/enable`, enable);
  const { secretAccessKey, endpoint } = await whole.account().credentials({});
  expect([secretAccessKey.length, endpoint]).toEqual([40, "https://s3.example.com"]);
});

test("errors speak to those who run Pulumi, and never show the key", async () => {
  await using scene = await startScene({ keys: ["another-key"] });
  const { message } = await thrown(scene.account({}, "refused-key").jobs({}));
  expect(message).toContain("Check the API key: env TENSORPOOL_KEY, or pulumi config set --secret tensorpool:apiKey");
  expect(message).not.toContain("refused-key");
  expect(() => accountOf({}, {}, undefined)).toThrow("no API key is set");
});
