import { expect, test } from "vitest";
import { startEmulator } from "../emulator/index.ts";
import { virtualClock } from "../virtual-clock.ts";
import { callsTo, textIn } from "./emulator-call.ts";

const ONE_H100 = { instance_type: "1xH100" };

test("strictSpec requires ssh_key_id and gives every operation a request_id", async () => {
  await using api = await startEmulator({ strictSpec: true });
  const call = callsTo(api);
  expect((await call("POST /cluster/create", ONE_H100)).status).toBe(422);
  expect((await call("POST /cluster/create", { ...ONE_H100, ssh_key_id: "k-1" })).status).toBe(202);
  const ids = { storage_id: api.addVolume(), cluster_ids: [api.addCluster({ instance_type: "32xCPU" })] };
  expect((await call("POST /storage/attach", ids)).body["request_id"]).toEqual(expect.any(String));
  const job = api.addJob({ status: "running" });
  expect((await call(`POST /job/cancel/${job}`)).body["request_id"]).toEqual(expect.any(String));
});

test("minimalSpec gives only a request_id, then only a status", async () => {
  const clock = virtualClock();
  await using api = await startEmulator({ clock, minimalSpec: true });
  const call = callsTo(api);
  const made = await call("POST /cluster/create", { ...ONE_H100, ssh_key_id: "k-1" });
  expect([made.status, made.body]).toEqual([202, { request_id: expect.any(String) }]);
  const poll = `GET /request/info/${textIn(made.body, "request_id")}`;
  const pending = await call(poll);
  expect([pending.body, pending.headers.get("retry-after")]).toEqual([{ status: "PENDING" }, "1"]);
  await clock.advance(1_000);
  expect((await call(poll)).body).toEqual({ status: "COMPLETED" });
});

test("minimalSpec gives the details of a failure", async () => {
  const clock = virtualClock();
  await using api = await startEmulator({
    clock,
    minimalSpec: true,
    faults: [{ kind: "failed", message: "bad host" }],
  });
  const call = callsTo(api);
  const { body } = await call("POST /cluster/create", ONE_H100);
  await clock.advance(1_000);
  const failed = await call(`GET /request/info/${textIn(body, "request_id")}`);
  expect(failed.body).toEqual({ status: "FAILED", message: "bad host" });
});

test.for([
  "GET /cluster/list",
  "GET /cluster/info/c-1",
  "PATCH /cluster/edit/c-1",
  "GET /user/ssh-key/list",
  "POST /health",
])("minimalSpec has no %s", async (route) => {
  await using api = await startEmulator({ minimalSpec: true });
  const { status, body } = await callsTo(api)(route);
  expect([status, body]).toEqual([404, { message: `No such route: ${route}` }]);
});

test("without takes routes away", async () => {
  await using api = await startEmulator({ without: ["GET /storage/list"] });
  expect((await callsTo(api)("GET /storage/list")).status).toBe(404);
  expect((await callsTo(api)("GET /cluster/list")).status).toBe(200);
});

test("omit takes fields away from every answer", async () => {
  await using api = await startEmulator({ omit: ["cluster_id", "object_id"] });
  const call = callsTo(api);
  const { body } = await call("POST /cluster/create", ONE_H100);
  expect(body).not.toHaveProperty("cluster_id");
  expect((await call(`GET /request/info/${textIn(body, "request_id")}`)).body).not.toHaveProperty("object_id");
});

test("one seed makes the same ids", async () => {
  const first = async (seed: number): Promise<string> => {
    await using api = await startEmulator({ seed });
    return api.addCluster();
  };
  expect(await first(5)).toBe(await first(5));
  expect(await first(5)).not.toBe(await first(6));
});

test.for([{ operationSeconds: -1 }, { retryAfterSeconds: Number.NaN }])(
  "startEmulator() refuses %j",
  async (options) => {
    await expect(startEmulator(options)).rejects.toThrow(RangeError);
  },
);
