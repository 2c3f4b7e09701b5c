import { describe, expect, test } from "vitest";
import { type EmulatorOptions, startEmulator } from "../emulator/index.ts";
import { virtualClock } from "../virtual-clock.ts";
import { callsTo, textIn } from "./emulator-call.ts";

/** An accepted create, and polls of it. */
async function scene(options: EmulatorOptions) {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1, 0, 0, 0, 700) });
  const api = await startEmulator({ clock, operationSeconds: 1_000, ...options });
  const call = callsTo(api);
  const { body, headers } = await call("POST /cluster/create", { instance_type: "1xH100" });
  return {
    api,
    clock,
    call,
    headers,
    poll: () => call(`GET /request/info/${textIn(body, "request_id")}`),
    early: () => api.ledger().requests.map((one) => one.early),
    [Symbol.asyncDispose]: () => api.close(),
  };
}

describe("a poll is early", () => {
  test.for([
    { waitsMs: 2_499, isEarly: true },
    { waitsMs: 2_500, isEarly: false },
  ])("$isEarly when it comes $waitsMs ms after a Retry-After of 2.5 s", async ({ waitsMs, isEarly }) => {
    await using it = await scene({ retryAfterSeconds: 2.5 });
    await it.clock.advance(waitsMs);
    await it.poll();
    await it.clock.advance(waitsMs);
    await it.poll();
    expect(it.early()).toEqual([false, isEarly, isEarly]);
  });

  test("never when no Retry-After was sent", async () => {
    await using it = await scene({ retryAfterSeconds: null });
    await it.poll();
    expect(it.headers.has("retry-after")).toBe(false);
    expect(it.early()).toEqual([false, false]);
  });

  test("before the Retry-After of a 503", async () => {
    await using it = await scene({ retryAfterSeconds: null });
    it.api.addFault({ kind: "status", headers: { "retry-after": "9" } });
    await it.poll();
    await it.clock.advance(8_999);
    await it.poll();
    expect(it.early()).toEqual([false, false, true]);
  });

  test("before the Retry-After of a 429 to anybody", async () => {
    await using it = await scene({ retryAfterSeconds: null });
    it.api.addFault({ kind: "too-many", retryAfter: 5, on: "GET /cluster/list" });
    await it.call("GET /cluster/list");
    await it.clock.advance(4_999);
    await it.poll();
    await it.clock.advance(1);
    await it.poll();
    expect(it.early()).toEqual([false, false, true, false]);
  });

  test.for([0, 3_600, -3_600])(
    "before the date of an HTTP-date, with a server clock %i s ahead",
    async (clockSkewSeconds) => {
      await using it = await scene({ retryAfterSeconds: 2, retryAfterFormat: "http-date", clockSkewSeconds });
      const at = (header: string): number => Date.parse(it.headers.get(header) ?? "");
      // 0.7 s + 2 s, rounded up to the whole second that a date can tell.
      expect(at("retry-after") - Date.UTC(2026) - clockSkewSeconds * 1_000).toBe(3_000);
      expect(at("date") - Date.UTC(2026) - clockSkewSeconds * 1_000).toBe(0);
      await it.clock.advance(2_299);
      await it.poll();
      await it.clock.advance(3_701);
      await it.poll();
      expect(it.early()).toEqual([false, true, false]);
    },
  );
});

test("rateLimit answers 429 with the seconds until the next token", async () => {
  const clock = virtualClock();
  await using api = await startEmulator({ clock, rateLimit: { perSecond: 0.5, burst: 2 } });
  const call = callsTo(api);
  const statuses = async (): Promise<number[]> => [
    (await call("GET /cluster/list")).status,
    (await call("POST /health")).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  const refused = await call("GET /cluster/list");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
  await clock.advance(2_000);
  expect(await statuses()).toEqual([200, 429]);
});

describe("without a key", () => {
  test("GET /__emulator/ledger answers what ledger() does and is in none", async () => {
    await using api = await startEmulator();
    await callsTo(api)("POST /storage/create", { size: 1 });
    const { body } = await callsTo(api, "")("GET /__emulator/ledger");
    expect(body).toEqual(api.ledger());
    expect(body["requests"]).toMatchObject([{ method: "POST", path: "/storage/create", status: 202, early: false }]);
  });

  test("POST /__emulator/edit and /__emulator/remove change things behind everybody's back", async () => {
    await using api = await startEmulator();
    const [control, call] = [callsTo(api, ""), callsTo(api)];
    const cluster = api.addCluster({ instance_type: "32xCPU" });
    const volume = api.addVolume();
    await control("POST /__emulator/edit", { id: cluster, change: { name: "drifted", storage: [volume] } });
    expect((await call(`GET /cluster/info/${cluster}`)).body["cluster_info"]).toMatchObject({
      name: "drifted",
      storage: [volume],
    });
    expect((await call(`GET /storage/info/${volume}`)).body["storage_info"]).toMatchObject({
      attached_clusters: [cluster],
    });
    expect((await control("POST /__emulator/remove", { id: volume })).status).toBe(200);
    expect((await call(`GET /cluster/info/${cluster}`)).body["cluster_info"]).toMatchObject({ storage: [] });
    expect(api.ledger().billed).toEqual([{ kind: "cluster", id: cluster, name: "drifted" }]);
    expect((await control("POST /__emulator/remove", { id: volume })).status).toBe(404);
  });

  test("POST /__emulator/faults replaces the list, and refuses what is no fault", async () => {
    await using api = await startEmulator({ faults: [{ kind: "reset" }] });
    const control = callsTo(api, "");
    expect((await control("POST /__emulator/faults", { faults: [{ kind: "resett" }] })).status).toBe(422);
    expect((await control("POST /__emulator/faults", { faults: [{ kind: "status", status: "500" }] })).status).toBe(
      422,
    );
    expect((await control("POST /__emulator/faults", { faults: [{ kind: "status", status: 500 }] })).status).toBe(200);
    expect((await callsTo(api)("GET /cluster/list")).status).toBe(500);
    expect((await callsTo(api)("GET /cluster/list")).status).toBe(200);
  });
});

test("reset() forgets everything but the ids in use", async () => {
  await using api = await startEmulator();
  const before = [api.addCluster(), api.addCluster()];
  await callsTo(api)("GET /cluster/list");
  api.reset();
  expect(api.ledger()).toEqual({ billed: [], everBilled: [], requests: [] });
  expect(before).not.toContain(api.addCluster());
});
