import { describe, expect, test } from "vitest";
import { createClient } from "../../provider/client/index.ts";
import { startEmulator } from "../emulator/index.ts";
import { startClientWorld, thrown } from "./world.ts";

describe("createClient()", () => {
  test.for([
    [{ env: {} }, "no API key is set. Set apiKey, or env TENSORPOOL_KEY"],
    [{ apiKey: "a b", env: {} }, "the API key contains blanks"],
    [{ apiKey: "k", baseUrl: "engine", env: {} }, 'at "engine": baseUrl (or env TENSORPOOL_ENGINE) must be'],
    [{ apiKey: "k", env: { TENSORPOOL_ENGINE: "ftp://x" } }, 'at "ftp://x"'],
  ] as const)("throws when given %j", ([options, words]) => {
    expect(() => createClient(options)).toThrow(words);
  });

  test("takes key and address from the environment when options are left out, and options before them", async () => {
    await using api = await startEmulator({ keys: ["env-key", "own-key"] });
    api.addCluster();
    const env = { TENSORPOOL_KEY: "env-key", TENSORPOOL_ENGINE: api.url };
    expect(await createClient({ env }).clusters.list()).toHaveLength(1);
    expect(await createClient({ env, apiKey: "own-key" }).clusters.list()).toEqual([]);
    const elsewhere = { ...env, TENSORPOOL_ENGINE: "http://127.0.0.1:1" };
    expect(await createClient({ env: elsewhere, baseUrl: `${api.url}/` }).clusters.list()).toHaveLength(1);
  });
});

test("errors speak of the client and never show the key when the API refuses it", async () => {
  await using world = await startClientWorld({ keys: ["another-key"] });
  const { name, message } = await thrown(world.run(world.client.clusters.list()));
  expect(name).toBe("ApiError");
  expect(message).toContain("Cannot GET /cluster/list: the API answered 401");
  expect(message).toContain("Check the API key: apiKey, or env TENSORPOOL_KEY");
  expect(message).not.toMatch(/pulumi|test-key/);
});

test("a call ends at once when its signal is aborted already, and sends nothing", async () => {
  await using world = await startClientWorld();
  const signal = AbortSignal.abort();
  const create = world.client.storage.create({ sizeGb: 1 }, { signal });
  expect(await thrown(world.run(create))).toMatchObject({ name: "StoppedError", why: "cancelled" });
  expect(world.api.ledger().everBilled).toEqual([]);
});

test("a list that the server does not have names the address, which may be wrong", async () => {
  await using world = await startClientWorld({ without: ["GET /job/list"] });
  const { message } = await thrown(world.run(world.client.jobs.list()));
  expect(message).toBe(`Cannot list jobs: ${world.api.url} has no such list. Check baseUrl (or env TENSORPOOL_ENGINE)`);
});

test("all calls wait when one of them is answered 429", async () => {
  await using world = await startClientWorld();
  world.api.addFault({ kind: "too-many", retryAfter: 20, on: "GET /cluster/list" });
  const sinceMs = world.clock.now();
  await world.run(world.client.clusters.list());
  await world.run(world.client.storage.list());
  expect(world.clock.now() - sinceMs).toBeGreaterThanOrEqual(20_000);
  expect(world.count("GET /cluster/list")).toBe(2);
});

test("requests.wait() asks never early and gives the object's id when the request is completed", async () => {
  await using world = await startClientWorld({ operationSeconds: 12 });
  const stopped = await thrown(world.run(world.client.storage.create({ sizeGb: 1 }, { timeoutMs: 2_000 })));
  const [requestId = ""] = (stopped as { requestIds?: string[] }).requestIds ?? [];
  expect(await world.run(world.client.requests.get(requestId))).toMatchObject({ status: "PROCESSING" });
  const verdict = await world.run(world.client.requests.wait(requestId));
  expect(verdict).toEqual({ kind: "completed", objectId: world.api.ledger().billed[0]?.id });
  expect(world.api.ledger().requests.filter(({ early }) => early)).toEqual([]);
});

test("requests.wait() throws the server's reason when the request has failed", async () => {
  await using world = await startClientWorld();
  world.api.addFault({ kind: "failed", message: "no disks left", on: "POST /storage/create" });
  const failed = await thrown(world.run(world.client.storage.create({ sizeGb: 1 })));
  expect(failed).toMatchObject({ name: "RequestFailedError", message: expect.stringContaining("no disks left") });
  expect(failed.message).not.toContain("pulumi");
  const { requestId } = failed as Error & { requestId: string };
  expect(await thrown(world.run(world.client.requests.wait(requestId)))).toMatchObject({ name: "RequestFailedError" });
});
