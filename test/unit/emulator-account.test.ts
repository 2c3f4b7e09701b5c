import { describe, expect, test } from "vitest";
import { startEmulator } from "../emulator/index.ts";
import { virtualClock } from "../virtual-clock.ts";
import { callsTo, inside, textIn } from "./emulator-call.ts";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@laptop";

describe("keys", () => {
  test("GET /cluster/list answers 401 without a valid one", async () => {
    await using api = await startEmulator();
    const { status, body } = await callsTo(api, "wrong")("GET /cluster/list");
    expect([status, body]).toEqual([401, { error: "Invalid or missing authentication token" }]);
  });

  test.for([
    { route: "POST /health", key: "test-key", status: 200 },
    { route: "POST /health", key: "", status: 401 },
    { route: "GET /healthz", key: "", status: 200 },
    { route: "GET /cluster/operations/c-1", key: "test-key", status: 404 },
  ])("$route with key '$key' answers $status", async ({ route, key, status }) => {
    await using api = await startEmulator();
    expect((await callsTo(api, key)(route)).status).toBe(status);
  });

  test("of one account see the same, of another nothing", async () => {
    const keys = [{ key: "old", account: "a" }, { key: "new", account: "a" }, "other"];
    await using api = await startEmulator({ keys });
    const made = await callsTo(api, "old")("POST /storage/create", { size: 1 });
    const route = `GET /storage/info/${textIn(made.body, "storage_id")}`;
    const statuses = ["old", "new", "other"].map(async (key) => (await callsTo(api, key)(route)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
    const request = `GET /request/info/${textIn(made.body, "request_id")}`;
    expect((await callsTo(api, "other")(request)).status).toBe(404);
  });

  test("of an organization: include_org lists its things instead of the personal ones", async () => {
    const keys = [
      { key: "own", account: "a" },
      { key: "org", account: "a", owner: "organization" },
    ] as const;
    await using api = await startEmulator({ keys });
    const ids = ["own", "org"].map(
      async (key) => (await callsTo(api, key)("POST /storage/create", { size: 1 })).body["storage_id"],
    );
    const [own, org] = await Promise.all(ids);
    const listed = async (query: string) => {
      const { body } = await callsTo(api, "own")(`GET /storage/list${query}`);
      return (body["volumes"] as { id: string }[]).map(({ id }) => id);
    };
    expect(await listed("")).toEqual([own]);
    expect(await listed("?include_org=False")).toEqual([own]);
    expect(await listed("?include_org=True")).toEqual([org]);
    expect(await listed("?include_org=true")).toEqual([org]);
  });
});

describe("SSH keys", () => {
  test("POST /user/ssh-key/add, list, remove", async () => {
    await using api = await startEmulator();
    const call = callsTo(api);
    const { body } = await call("POST /user/ssh-key/add", { public_key: KEY, name: "laptop" });
    expect(body).toEqual({ key_id: expect.any(String), message: expect.any(String) });
    const key = { id: textIn(body, "key_id"), name: "laptop", public_key: KEY };
    expect((await call("GET /user/ssh-key/list")).body["keys"]).toEqual([key]);
    expect((await call(`DELETE /user/ssh-key/remove/${key.id}`)).status).toBe(200);
    expect((await call(`DELETE /user/ssh-key/remove/${key.id}`)).status).toBe(404);
    expect((await call("GET /user/ssh-key/list")).body["keys"]).toEqual([]);
  });

  test("POST /user/ssh-key/add refuses the same key with another comment", async () => {
    await using api = await startEmulator();
    const call = callsTo(api);
    await call("POST /user/ssh-key/add", { public_key: KEY });
    const again = await call("POST /user/ssh-key/add", { public_key: KEY.replace("laptop", "desk") });
    expect([again.status, again.body["message"]]).toEqual([409, expect.stringContaining("registered already")]);
  });
});

describe("jobs", () => {
  test("GET /job/pull/{job_id} gives links that need no key, know ranges, and expire", async () => {
    const clock = virtualClock();
    await using api = await startEmulator({ clock, linkSeconds: 60 });
    const id = api.addJob({ outputs: { "out/größe #1.txt": "0123456789" } });
    const pulled = await callsTo(api)(`GET /job/pull/${id}?system=linux&dry_run=False`);
    expect(pulled.body).toMatchObject({ command: null, message: expect.any(String) });
    const link = String(inside(pulled, "download_map")["out/größe #1.txt"]);
    const whole = await fetch(link);
    const etag = whole.headers.get("etag") ?? "";
    expect([whole.status, await whole.text()]).toEqual([200, "0123456789"]);
    const part = async (headers: Record<string, string>) => {
      const response = await fetch(link, { headers });
      return [response.status, await response.text(), response.headers.get("content-range")];
    };
    expect(await part({ range: "bytes=2-4" })).toEqual([206, "234", "bytes 2-4/10"]);
    expect(await part({ range: "bytes=7-", "if-range": etag })).toEqual([206, "789", "bytes 7-9/10"]);
    expect(await part({ range: "bytes=-2" })).toEqual([206, "89", "bytes 8-9/10"]);
    expect(await part({ range: "bytes=7-", "if-range": '"old"' })).toEqual([200, "0123456789", null]);
    expect((await part({ range: "bytes=10-" }))[0]).toBe(416);
    expect((await fetch(link.replace("signature=", "signature=0"))).status).toBe(403);
    await clock.advance(60_001);
    expect((await fetch(link)).status).toBe(403);
  });

  test.for([
    { status: "completed", dryRun: "True", map: { "a.txt": null } },
    { status: "running", dryRun: "False", map: {} },
  ])("GET /job/pull/{job_id} of a $status job with dry_run=$dryRun maps $map", async ({ status, dryRun, map }) => {
    await using api = await startEmulator();
    const id = api.addJob({ status, outputs: { "a.txt": "a" } });
    expect((await callsTo(api)(`GET /job/pull/${id}?dry_run=${dryRun}`)).body["download_map"]).toEqual(map);
  });

  test("POST /job/cancel/{job_id} goes canceling, canceled; a job that is over refuses", async () => {
    const clock = virtualClock();
    await using api = await startEmulator({ clock });
    const call = callsTo(api);
    const id = api.addJob({ status: "running" });
    const { status, body } = await call(`POST /job/cancel/${id}`, "");
    expect([status, body]).toEqual([202, { job_id: id, message: `Canceling job ${id}`, status: "canceling" }]);
    expect((await call(`DELETE /job/delete/${id}`)).status).toBe(409);
    await clock.advance(1_000);
    expect((await call(`GET /job/info/${id}`)).body["job_info"]).toMatchObject({ id, status: "canceled" });
    expect((await call(`POST /job/cancel/${id}`)).status).toBe(409);
    expect((await call(`DELETE /job/delete/${id}`)).status).toBe(200);
    expect((await call("GET /job/list")).body["jobs"]).toEqual([]);
  });

  test("POST /job/cancel/{job_id} answers as jobCancel says", async () => {
    await using api = await startEmulator({ jobCancel: { status: 200, requestId: true } });
    const { status, body } = await callsTo(api)(`POST /job/cancel/${api.addJob({ status: "running" })}`);
    expect([status, body["request_id"]]).toEqual([200, expect.any(String)]);
  });
});

test("object storage: enable, buckets, rotate, disable", async () => {
  await using api = await startEmulator();
  const call = callsTo(api);
  expect((await call("GET /object-storage/credentials")).status).toBe(409);
  const first = await call("POST /object-storage/enable", "");
  expect(first.body).toMatchObject({ access_key_id: expect.any(String), secret_access_key: expect.any(String) });
  expect((await call("PUT /object-storage/bucket/create/b1", "")).status).toBe(201);
  expect((await call("GET /object-storage/bucket/list")).body["buckets"]).toEqual(["b1"]);
  const rotated = await call("POST /object-storage/rotate-keys");
  expect(rotated.body["secret_access_key"]).not.toBe(first.body["secret_access_key"]);
  expect((await call("DELETE /object-storage/disable")).status).toBe(409);
  const deleted = await call("DELETE /object-storage/bucket/delete/b1");
  expect([deleted.status, deleted.body]).toEqual([204, { text: "" }]);
  expect((await call("DELETE /object-storage/disable")).status).toBe(200);
});

test("PATCH /user/preferences keeps what it is given and refuses a reload above the warning", async () => {
  await using api = await startEmulator();
  const call = callsTo(api);
  await call("PATCH /user/preferences", { balance_warning_threshold: 50, autopay_enabled: true });
  expect((await call("GET /user/preferences")).body).toMatchObject({
    balance_warning_threshold: 50,
    autopay_enabled: true,
  });
  expect((await call("PATCH /user/preferences", { autopay_reload_threshold: 50 })).status).toBe(422);
  expect((await call("PATCH /user/preferences", { autopay_reload_threshold: 20 })).status).toBe(200);
});
