import { describe, expect, test } from "vitest";
import { startEmulator } from "../emulator/index.ts";
import { virtualClock } from "../virtual-clock.ts";
import { callsTo, inside, textIn } from "./emulator-call.ts";

describe("POST /cluster/create", () => {
  test("answers 202 with the ids of the cluster, its instances and its request", async () => {
    await using api = await startEmulator();
    const { status, body, headers } = await callsTo(api)("POST /cluster/create", {
      instance_type: "8xH200",
      num_nodes: 2,
      deletion_protection: null,
      tp_cluster_name: "train",
      container: null,
    });
    expect(status).toBe(202);
    expect(body).toEqual({
      cluster_id: expect.stringMatching(/^c-[0-9a-f]{8}$/),
      instance_ids: [expect.stringMatching(/^i-/), expect.stringMatching(/^i-/)],
      request_id: expect.any(String),
      message: expect.stringContaining("train"),
    });
    expect(headers.get("retry-after")).toBe("1");
  });

  test.for([
    { title: "no instance type", body: {}, says: "Field required: instance_type" },
    { title: "an unknown accelerator", body: { instance_type: "8xA100" }, says: "Unknown instance type 8xA100" },
    { title: "a count that cannot be had", body: { instance_type: "3xH100" }, says: "only 1, 2, 4, 8" },
    { title: "a count with a leading zero", body: { instance_type: "08xH100" }, says: "only 1, 2, 4, 8" },
    { title: "something behind the accelerator", body: { instance_type: "8xH100x" }, says: "H100" },
    { title: "nodes of a type that has one", body: { instance_type: "8xH100", num_nodes: 2 }, says: "multiple nodes" },
    { title: "no nodes at all", body: { instance_type: "8xH200", num_nodes: 0 }, says: "at least 1" },
    { title: "a text as a flag", body: { instance_type: "1xH100", deletion_protection: "yes" }, says: "a boolean" },
    { title: "keys that are no list", body: { instance_type: "1xH100", public_keys: "ssh-rsa A" }, says: "a list" },
    { title: "a list as the body", body: "[]", says: "JSON object" },
    { title: "a body that is no JSON", body: "{", says: "JSON object" },
  ])("refuses $title and bills nothing", async ({ body, says }) => {
    await using api = await startEmulator();
    const answer = await callsTo(api)("POST /cluster/create", body);
    expect(answer.status).toBe(422);
    expect(answer.body["message"]).toContain(says);
    expect(api.ledger().everBilled).toEqual([]);
  });

  test("tells all problems at once in the form of FastAPI", async () => {
    await using api = await startEmulator();
    const { body } = await callsTo(api)("POST /cluster/create", { num_nodes: "two" });
    expect(body["detail"]).toEqual([
      { loc: ["body", "instance_type"], msg: "Field required: instance_type", type: "missing" },
      { loc: ["body", "num_nodes"], msg: "num_nodes should be an integer of at least 1", type: "type_error" },
    ]);
  });

  test("refuses a name that a living cluster of the account has", async () => {
    await using api = await startEmulator({ keys: ["test-key", "stranger"] });
    const train = { instance_type: "1xH100", tp_cluster_name: "train" };
    expect((await callsTo(api)("POST /cluster/create", train)).status).toBe(202);
    expect((await callsTo(api)("POST /cluster/create", train)).status).toBe(409);
    expect((await callsTo(api, "stranger")("POST /cluster/create", train)).status).toBe(202);
  });
});

test("a cluster goes PENDING, PROVISIONING, CONFIGURING, RUNNING as its request goes to COMPLETED", async () => {
  const clock = virtualClock();
  await using api = await startEmulator({ clock, operationSeconds: 9 });
  const call = callsTo(api);
  const { body } = await call("POST /cluster/create", { instance_type: "1xH100" });
  const seen: string[] = [];
  for (let second = 0; second <= 9; second += 3) {
    const request = await call(`GET /request/info/${textIn(body, "request_id")}`);
    const info = await call(`GET /cluster/info/${textIn(body, "cluster_id")}`);
    const { status, instances } = inside(info, "cluster_info");
    const [{ ip_address }] = instances as [{ ip_address: string | null }];
    seen.push([request.body["status"], status, ip_address ?? "-", request.headers.get("retry-after") ?? "-"].join(" "));
    await clock.advance(3_000);
  }
  expect(seen).toEqual([
    "PENDING PENDING - 1",
    "PROCESSING PROVISIONING - 1",
    "PROCESSING CONFIGURING - 1",
    "COMPLETED RUNNING 203.0.113.1 -",
  ]);
});

describe("DELETE /cluster/{cluster}", () => {
  test("bills until the operation is over, then the cluster is gone", async () => {
    const clock = virtualClock();
    await using api = await startEmulator({ clock, operationSeconds: 10 });
    const call = callsTo(api);
    const id = api.addCluster({ name: "train" });
    expect((await call("DELETE /cluster/train")).body).toMatchObject({ cluster_id: id });
    await clock.advance(9_999);
    expect(api.ledger().billed).toEqual([{ kind: "cluster", id, name: "train" }]);
    expect(inside(await call(`GET /cluster/info/${id}`), "cluster_info")["status"]).toBe("DESTROYING");
    await clock.advance(1);
    expect(api.ledger().billed).toEqual([]);
    expect((await call(`GET /cluster/info/${id}`)).status).toBe(404);
    expect((await call("GET /cluster/list")).body["clusters"]).toEqual([]);
    expect(api.ledger().everBilled).toHaveLength(1);
  });

  test("refuses a second time while it goes on, and 404 after it", async () => {
    const clock = virtualClock();
    await using api = await startEmulator({ clock });
    const call = callsTo(api);
    const id = api.addCluster();
    expect((await call(`DELETE /cluster/${id}`)).status).toBe(202);
    expect((await call(`DELETE /cluster/${id}`)).status).toBe(409);
    await clock.advance(1_000);
    expect((await call(`DELETE /cluster/${id}`)).status).toBe(404);
  });

  test("refuses under deletion protection", async () => {
    await using api = await startEmulator();
    const id = api.addCluster({ deletion_protection: true });
    const { status, body } = await callsTo(api)(`DELETE /cluster/${id}`);
    expect([status, body["message"]]).toEqual([409, expect.stringContaining("deletion protection")]);
  });

  test("overtakes a create that is stuck", async () => {
    const clock = virtualClock();
    await using api = await startEmulator({ clock, faults: [{ kind: "stuck" }] });
    const call = callsTo(api);
    const { body } = await call("POST /cluster/create", { instance_type: "1xH100" });
    await call(`DELETE /cluster/${textIn(body, "cluster_id")}`);
    await clock.advance(1_000);
    expect((await call(`GET /request/info/${textIn(body, "request_id")}`)).body["status"]).toBe("FAILED");
    expect(api.ledger().billed).toEqual([]);
  });

  test('shows a DESTROYED record afterwards under goneAs: "record"', async () => {
    const clock = virtualClock();
    await using api = await startEmulator({ clock, goneAs: "record" });
    const call = callsTo(api);
    const id = api.addCluster();
    await call(`DELETE /cluster/${id}`);
    await clock.advance(1_000);
    expect(inside(await call(`GET /cluster/info/${id}`), "cluster_info")["status"]).toBe("DESTROYED");
    expect((await call("GET /cluster/list")).body["clusters"]).toEqual([]);
  });
});

describe("PATCH /cluster/edit/{cluster}", () => {
  test("answers only a message and shows the change a quarter of an operation later", async () => {
    const clock = virtualClock();
    await using api = await startEmulator({ clock, operationSeconds: 4 });
    const call = callsTo(api);
    const id = api.addCluster({ name: "old" });
    const { status, body } = await call(`PATCH /cluster/edit/${id}`, {
      cluster_name: "new",
      deletion_protection: true,
    });
    expect([status, Object.keys(body)]).toEqual([202, ["message"]]);
    await clock.advance(999);
    expect(inside(await call(`GET /cluster/info/${id}`), "cluster_info")["name"]).toBe("old");
    await clock.advance(1);
    const after = await call(`GET /cluster/info/${id}`);
    expect(inside(after, "cluster_info")).toMatchObject({ name: "new", deletion_protection: true, status: "RUNNING" });
  });

  test("refuses a name in use, or about to be", async () => {
    await using api = await startEmulator();
    const call = callsTo(api);
    const [one, two] = [api.addCluster({ name: "one" }), api.addCluster({ name: "two" })];
    expect((await call(`PATCH /cluster/edit/${two}`, { cluster_name: "one" })).status).toBe(409);
    expect((await call(`PATCH /cluster/edit/${one}`, { cluster_name: "three" })).status).toBe(202);
    expect((await call(`PATCH /cluster/edit/${two}`, { cluster_name: "three" })).status).toBe(409);
  });

  test("refuses an empty change", async () => {
    await using api = await startEmulator();
    expect((await callsTo(api)(`PATCH /cluster/edit/${api.addCluster()}`, {})).status).toBe(422);
  });
});

test.for([
  { query: "instance_type=8xH200&num_nodes=2", hourly_rate: 47.84 },
  { query: "instance_type=1xL40S", hourly_rate: 1.49 },
  { query: "instance_type=32xCPU", hourly_rate: 0.48 },
])("GET /cluster/quote?$query costs $hourly_rate USD an hour", async ({ query, hourly_rate }) => {
  await using api = await startEmulator();
  expect((await callsTo(api)(`GET /cluster/quote?${query}`)).body).toEqual({ hourly_rate });
});
