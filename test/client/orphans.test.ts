import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Emulator, startEmulator } from "../emulator/index.ts";
import { command, type Ended } from "./run-command.ts";

const FIXTURE = join(import.meta.dirname, "../cli/fixtures/state-v1.json");
const V1 = await readFile(FIXTURE, "utf8");
const CLUSTER = "pulumi-nodejs:dynamic/tensorpool:Cluster";
const URN = `urn:pulumi:dev::shop::${CLUSTER}::train`;

/** Other ids than those of the state file. */
const start = (): Promise<Emulator> => startEmulator({ seed: 7 });

const stateOf = (deployment: object): string => JSON.stringify({ version: 3, deployment });
const creating = (inputs: object): string =>
  stateOf({ pending_operations: [{ resource: { urn: URN, type: CLUSTER, inputs }, type: "creating" }] });

function orphans(api: Emulator, state: string, ...args: string[]): Promise<Ended> {
  const io = { input: async (): Promise<string> => state };
  return command(api.url, ["orphans", "--stack-export", "-", ...args], false, undefined, io);
}

test("orphans names what none of the states has, with its price and the ways out, and ends with 1", async () => {
  await using api = await start();
  api.addCluster({ id: "c-9c43a8c3" });
  api.addVolume({ id: "s-a08ff49b" });
  const cluster = api.addCluster({ name: "old", instance_type: "8xH200", num_nodes: 2, created_at: "2026-11-01" });
  const volume = api.addVolume({ name: "data", size_gb: 1000, owner: "organization", created_at: "2026-11-02" });
  const { code, out, err } = await orphans(api, stateOf({}), FIXTURE);
  expect([code, err]).toEqual([1, ""]);
  const destroy = (calls: string, id: string): string =>
    `node -e 'import("pulumi-tensorpool/client").then((tp) => tp.createClient().${calls}.destroy("${id}"))'`;
  expect(out.split("\n")).toEqual([
    `cluster ${cluster} "old": 2 x 8xH200, RUNNING since 2026-11-01, 47.84 USD an hour`,
    `  to manage it:  npx pulumi-tensorpool import cluster ${cluster}`,
    `             or  adopt: "${cluster}" in a Cluster of a program`,
    `  to destroy it: ${destroy("clusters", cluster)}`,
    `storage volume ${volume} "data": 1000 GB, READY since 2026-11-02, 0.1370 USD an hour`,
    `  to manage it:  npx pulumi-tensorpool import volume ${volume}`,
    `             or  adopt: "${volume}" in a StorageVolume of a program`,
    `  to destroy it: ${destroy("storage", volume)}`,
    "2 orphans, 47.98 USD an hour (4 billed, 2 states)",
    "",
  ]);
  const json = JSON.parse((await orphans(api, V1, "--json")).out) as Record<string, unknown>;
  expect(json).toMatchObject({
    billed: 4,
    unfinished: [],
    orphans: [
      { type: "Cluster", id: cluster, instanceType: "8xH200", hourlyUsd: 47.84, adopt: `adopt: "${cluster}"` },
      { type: "StorageVolume", id: volume, sizeGb: 1000, name: "data", readBy: [] },
    ],
  });
});

test("orphans ends with 0 when all that is billed is in the states, and asks for no prices", async () => {
  await using api = await start();
  api.addCluster({ id: "c-9c43a8c3" });
  api.addVolume({ id: "s-a08ff49b" });
  const leaving = api.addVolume({ name: "leaving" });
  api.edit(leaving, { status: "DESTROYING" });
  expect(await orphans(api, V1)).toEqual({ code: 0, out: "no orphans (2 billed, 1 state)\n", err: "" });
  expect(api.ledger().requests.map(({ path }) => path)).not.toContain("/cluster/quote");
});

test.for([
  ["a name", { name: "train-1" }],
  ["a secret name that is shown", { name: { "4dabf18193072939515e22adb298388d": "1", plaintext: '"train-1"' } }],
] as const)("orphans calls nothing an orphan that an interrupted create with %s has bought", async ([, inputs]) => {
  await using api = await start();
  const id = api.addCluster({ name: "train-1" });
  const { code, out } = await orphans(api, creating(inputs));
  expect([code, out]).toEqual([
    0,
    `cluster ${id} is of an interrupted create of ${URN}: pulumi up goes on with it\nno orphans (1 billed, 1 state)\n`,
  ]);
  api.addVolume({ name: "train-1" });
  expect((await orphans(api, creating(inputs))).code).toBe(1);
});

test("orphans cannot tell when an interrupted create's name is encrypted: it says so and ends with 4", async () => {
  await using api = await start();
  const state = creating({ name: { "4dabf18193072939515e22adb298388d": "1", ciphertext: "v1:x" } });
  expect((await orphans(api, state)).code).toBe(0);
  const id = api.addCluster();
  const { code, out, err } = await orphans(api, state);
  expect([code, out]).toEqual([4, ""]);
  expect(err).toContain(`Cannot tell whether cluster ${id} belongs to the interrupted create of ${URN}`);
  expect(err).toContain("--show-secrets");
});

test("orphans asks what a request has made where the state knows no id", async () => {
  await using api = await start();
  const created = await fetch(`${api.url}/cluster/create`, {
    method: "POST",
    headers: { authorization: "Bearer test-key", "content-type": "application/json" },
    body: JSON.stringify({ instance_type: "1xH100", public_keys: ["ssh-ed25519 AAAA"] }),
  });
  const { request_id: request } = (await created.json()) as Record<string, string>;
  const resource = { urn: URN, type: CLUSTER, id: `request:${request}`, outputs: { __pending: {} } };
  const { code, out } = await orphans(api, stateOf({ resources: [resource] }));
  expect([code, out]).toEqual([0, expect.stringContaining(`is of an interrupted create of ${URN}`)]);
  const forgotten = { ...resource, id: "request:r-none" };
  expect((await orphans(api, stateOf({ resources: [forgotten] }))).code).toBe(1);
  // Any other refusal tells nothing of what the request has made.
  api.addFault({ kind: "status", status: 403, on: "GET /request/info/{request_id}" });
  const refused = await orphans(api, stateOf({ resources: [resource] }));
  expect(refused).toMatchObject({ code: 4, out: "", err: expect.stringContaining("answered 403") });
});

test("orphans asks once for each price, by type and nodes, and names only its own readers", async () => {
  await using api = await start();
  const ids = [1, 2, 1].map((num_nodes) => api.addCluster({ instance_type: "8xH200", num_nodes }));
  const read = { urn: URN, type: CLUSTER, id: ids[0], external: true };
  const { out } = await orphans(api, stateOf({ resources: [read] }), "--json");
  expect(JSON.parse(out)).toMatchObject({
    orphans: [
      { hourlyUsd: 23.92, readBy: [URN] },
      { hourlyUsd: 47.84, readBy: [] },
      { hourlyUsd: 23.92, readBy: [] },
    ],
  });
  const quotes = api.ledger().requests.filter(({ path }) => path === "/cluster/quote");
  expect(quotes).toHaveLength(2);
});

test("orphans prices a cluster whose record lacks its size by its instances", async () => {
  await using api = await start();
  const id = api.addCluster({ instance_type: "8xH200", num_nodes: 2 });
  api.edit(id, { num_nodes: undefined });
  expect((await orphans(api, stateOf({}))).out).toContain(`2 x 8xH200, RUNNING`);
});

test("orphans ends with 130 at Ctrl-C while it asks for prices", async () => {
  await using api = await start();
  api.addCluster();
  const stop = new AbortController();
  api.addFault({ kind: "slow", seconds: 60, on: "GET /cluster/quote" });
  const io = { input: async (): Promise<string> => stateOf({}) };
  const running = command(api.url, ["orphans", "--stack-export", "-"], false, stop.signal, io);
  while (!api.ledger().requests.some(({ path }) => path === "/cluster/quote")) await setImmediate();
  stop.abort();
  expect(await running).toMatchObject({ code: 130, out: "" });
});

test("orphans tells of .get, which manages nothing, and of prices that cannot be had", async () => {
  await using api = await start();
  const id = api.addCluster();
  api.addFault({ kind: "status", status: 404, on: "GET /cluster/quote" });
  const { code, out } = await orphans(api, stateOf({ resources: [{ urn: URN, type: CLUSTER, id, external: true }] }));
  expect(code).toBe(1);
  expect(out).toContain(`price unknown, read, and not managed, by ${URN}\n`);
  expect(out).toContain("1 orphan, price unknown (1 billed, 1 state)\n");
  api.addVolume({ size_gb: 1000 });
  api.addFault({ kind: "status", status: 404, on: "GET /cluster/quote" });
  expect((await orphans(api, stateOf({}))).out).toContain(
    "2 orphans, at least 0.1370 USD an hour (2 billed, 1 state)\n",
  );
});

test.for([
  ["the API refuses", { kind: "status", status: 401, on: "GET /cluster/list" }, stateOf({}), "answered 401"],
  ["the server has no list", { kind: "status", status: 404, on: "GET /storage/list" }, stateOf({}), "no such list"],
  ["the state is none", undefined, "{}", "Cannot read the state in stdin"],
] as const)("orphans ends with 4 when %s", async ([, fault, state, words]) => {
  await using api = await start();
  if (fault !== undefined) api.addFault({ ...fault, times: 99 });
  const { code, out, err } = await orphans(api, state);
  expect([code, out, err]).toEqual([4, "", expect.stringContaining(words)]);
});

test.for([
  ["nowhere.json", "there is no such file"],
  [import.meta.dirname, "EISDIR"],
] as const)("orphans names the state that it cannot read: %s", async ([file, why]) => {
  const { code, out, err } = await command("http://127.0.0.1:1", ["orphans", "--stack-export", file]);
  expect([code, out, err]).toEqual([4, "", expect.stringContaining(`Cannot read the state in ${file}: ${why}`)]);
});

test("orphans makes no shell's line of an id that is not harmless", async () => {
  await using api = await start();
  api.addCluster({ id: "c-1'; touch PWNED; '\u001b[2J" });
  const { out } = await orphans(api, stateOf({}));
  const lines = out.split("\n").filter((line) => line.includes("npx ") || line.includes("node -e"));
  expect(lines.join("\n")).not.toContain("PWNED");
  expect(lines.join("\n")).toContain("import cluster ID");
  expect(out).not.toContain("\u001b");
});
