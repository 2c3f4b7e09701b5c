import { describe, expect, test } from "vitest";
import { type EmulatorOptions, FAULT_KINDS, type Fault, startEmulator } from "../emulator/index.ts";
import { virtualClock } from "../virtual-clock.ts";
import { callsTo, textIn } from "./emulator-call.ts";

const CREATE = "POST /cluster/create";
const ONE_H100 = { instance_type: "1xH100" };

async function scene(fault: Fault, options: EmulatorOptions = {}) {
  const clock = virtualClock();
  const api = await startEmulator({ clock, operationSeconds: 3, faults: [fault], ...options });
  const call = callsTo(api);
  return { api, clock, call, create: () => call(CREATE, ONE_H100), [Symbol.asyncDispose]: () => api.close() };
}

describe("a fault of the answer", () => {
  test.for([
    { fault: { kind: "lost-answer" }, billed: 1 },
    { fault: { kind: "reset" }, billed: 0 },
  ] as const)("$fault.kind ends the connection with $billed billed", async ({ fault, billed }) => {
    await using it = await scene(fault);
    await expect(it.create()).rejects.toThrow("fetch failed");
    expect(it.api.ledger().billed).toHaveLength(billed);
    expect(it.api.ledger().requests).toMatchObject([{ method: "POST", path: "/cluster/create", status: 0 }]);
  });

  test.for([
    { fault: { kind: "status", status: 500, body: "oops" }, answers: [500, { text: "oops" }], billed: 0 },
    { fault: { kind: "status" }, answers: [503, { message: "The service is in trouble" }], billed: 0 },
    {
      fault: { kind: "acted-status", status: 502, body: { detail: "bad" } },
      answers: [502, { detail: "bad" }],
      billed: 1,
    },
    { fault: { kind: "broken-json" }, answers: [202, { text: '{"message": "Accep' }], billed: 1 },
    { fault: { kind: "list-json" }, answers: [202, { text: "[]" }], billed: 1 },
    { fault: { kind: "empty" }, answers: [202, { text: "" }], billed: 1 },
    {
      fault: { kind: "no-capacity", status: 409 },
      answers: [409, { message: expect.stringContaining("capacity") }],
      billed: 0,
    },
    { fault: { kind: "too-many" }, answers: [429, { message: "Too many requests" }], billed: 0 },
  ] as const)("$fault answers $answers.0 with $billed billed", async ({ fault, answers, billed }) => {
    await using it = await scene(fault);
    const { status, body } = await it.create();
    expect([status, body]).toEqual(answers);
    expect(it.api.ledger().billed).toHaveLength(billed);
  });

  test("huge-json answers as many megabytes as it says", async () => {
    await using it = await scene({ kind: "huge-json", megabytes: 2 });
    expect(String((await it.create()).body["message"])).toHaveLength(2 * 2 ** 20);
  });

  test("slow acts at once and answers late", async () => {
    await using it = await scene({ kind: "slow", seconds: 7 });
    const answer = it.create();
    while (it.clock.sleepers === 0) await it.clock.settle();
    expect(it.api.ledger()).toMatchObject({ billed: [{ kind: "cluster" }], requests: [{ status: 0 }] });
    await it.clock.advance(7_000);
    expect((await answer).status).toBe(202);
  });

  test.for(["soon", "-3", "2.5", "Wed, 21 Oct 2026 07:28:00 GMT"])(
    "too-many sends Retry-After: %s as it is",
    async (text) => {
      await using it = await scene({ kind: "too-many", retryAfter: text });
      expect((await it.create()).headers.get("retry-after")).toBe(text);
    },
  );
});

describe("a fault of the operation", () => {
  test.for<{ fault: Fault; status: string; object: string; billed: number }>([
    { fault: { kind: "stuck" }, status: "PENDING", object: "PENDING", billed: 1 },
    { fault: { kind: "takes", seconds: 99 }, status: "PENDING", object: "PENDING", billed: 1 },
    { fault: { kind: "failed", message: "bad host" }, status: "FAILED bad host", object: "404", billed: 0 },
    { fault: { kind: "failed", keepObject: true }, status: "FAILED The operation failed", object: "FAILED", billed: 1 },
    {
      fault: { kind: "no-capacity" },
      status: "FAILED No capacity is available for this request at the moment",
      object: "404",
      billed: 0,
    },
    {
      fault: { kind: "no-capacity", keepObject: true },
      status: "FAILED No capacity is available for this request at the moment",
      object: "FAILED",
      billed: 1,
    },
    { fault: { kind: "completed-but-404" }, status: "COMPLETED", object: "404", billed: 0 },
    { fault: { kind: "completed-but-404", seconds: 60 }, status: "COMPLETED", object: "404", billed: 1 },
    { fault: { kind: "unknown-status", word: "WARMING", polls: -1 }, status: "WARMING", object: "RUNNING", billed: 1 },
    { fault: { kind: "request-lost" }, status: "404", object: "RUNNING", billed: 1 },
    { fault: { kind: "unlisted", seconds: 60 }, status: "COMPLETED", object: "RUNNING", billed: 1 },
  ])("$fault ends in request $status, cluster $object, $billed billed", async ({ fault, status, object, billed }) => {
    await using it = await scene(fault);
    const { body } = await it.create();
    await it.clock.advance(3_000);
    const request = await it.call(`GET /request/info/${textIn(body, "request_id")}`);
    const { status: word, external_message: reason } = request.body;
    expect([word ?? String(request.status), reason].filter((one) => typeof one === "string").join(" ")).toBe(status);
    const info = await it.call(`GET /cluster/info/${textIn(body, "cluster_id")}`);
    const { status: seen = String(info.status) } = (info.body["cluster_info"] ?? {}) as { status?: string };
    expect(seen).toBe(object);
    expect(it.api.ledger().billed).toHaveLength(billed);
  });

  test.for<{ times?: number; statuses: number[] }>([
    { statuses: [409, 409, 202] },
    { times: 1, statuses: [409, 202, 202] },
  ])("forSeconds ends it, and does so before $times times: $statuses", async ({ times, statuses }) => {
    await using it = await scene({
      kind: "no-capacity",
      status: 409,
      forSeconds: 60,
      ...(times !== undefined && { times }),
    });
    const seen: number[] = [];
    for (const _ of statuses) {
      seen.push((await it.create()).status);
      await it.clock.advance(30_000);
    }
    expect(seen).toEqual(statuses);
  });

  test.for<{ fault: Fault; listedAfter: [number, number] }>([
    { fault: { kind: "unlisted", seconds: 60 }, listedAfter: [59_999, 1] },
    { fault: { kind: "completed-but-404", seconds: 60 }, listedAfter: [62_999, 1] },
  ])("$fault.kind hides the cluster from the list for its time", async ({ fault, listedAfter: [before, more] }) => {
    await using it = await scene(fault);
    await it.create();
    const listed = async (): Promise<number> => ((await it.call("GET /cluster/list")).body["clusters"] as []).length;
    await it.clock.advance(3_000);
    await listed();
    await it.clock.advance(before - 3_000);
    expect(await listed()).toBe(0);
    await it.clock.advance(more);
    expect(await listed()).toBe(1);
  });

  test.for<{ fault: Fault; billed: number }>([
    { fault: { kind: "failed", on: "DELETE /cluster/{id}" }, billed: 1 },
    { fault: { kind: "failed", on: "DELETE /cluster/{id}", keepObject: false }, billed: 0 },
  ])("$fault of a destroy leaves $billed billed, which can be destroyed again", async ({ fault, billed }) => {
    await using it = await scene(fault);
    const id = it.api.addCluster();
    await it.call(`DELETE /cluster/${id}`);
    await it.clock.advance(3_000);
    expect(it.api.ledger().billed).toHaveLength(billed);
    expect((await it.call(`DELETE /cluster/${id}`)).status).toBe(billed === 1 ? 202 : 404);
  });

  test("failed of an edit changes nothing and frees the name", async () => {
    await using it = await scene({ kind: "failed", on: "PATCH /cluster/edit/{cluster}" });
    const id = it.api.addCluster({ name: "old" });
    await it.call(`PATCH /cluster/edit/${id}`, { cluster_name: "new" });
    await it.clock.advance(3_000);
    expect((await it.call(`GET /cluster/info/${id}`)).body["cluster_info"]).toMatchObject({ name: "old" });
    expect((await it.call(CREATE, { ...ONE_H100, tp_cluster_name: "new" })).status).toBe(202);
  });
});

describe("when a fault strikes", () => {
  test.for<{ fault: Fault; statuses: number[] }>([
    { fault: { kind: "status", on: CREATE }, statuses: [503, 202, 202, 202] },
    { fault: { kind: "status", on: CREATE, times: 2 }, statuses: [503, 503, 202, 202] },
    { fault: { kind: "status", on: CREATE, after: 1 }, statuses: [202, 503, 202, 202] },
    { fault: { kind: "status", on: CREATE, times: -1 }, statuses: [503, 503, 503, 503] },
    { fault: { kind: "status", on: CREATE, times: "always", after: 2 }, statuses: [202, 202, 503, 503] },
    { fault: { kind: "status", on: "GET /cluster/list" }, statuses: [202, 202, 202, 202] },
    { fault: { kind: "status", probability: 0, times: -1 }, statuses: [202, 202, 202, 202] },
  ])("$fault gives $statuses", async ({ fault, statuses }) => {
    await using it = await scene(fault);
    const seen = [(await it.create()).status, (await it.create()).status, (await it.create()).status];
    expect([...seen, (await it.create()).status]).toEqual(statuses);
    const struck = statuses.filter((status) => status === 503).length;
    expect(it.api.faultsFired()).toEqual(struck === 0 ? {} : { status: struck });
  });

  test("random ones follow from the seed", async () => {
    const run = async (seed: number): Promise<number[]> => {
      await using it = await scene({ kind: "status", times: -1, probability: 0.5 }, { seed });
      const statuses: number[] = [];
      for (let call = 0; call < 20; call += 1) statuses.push((await it.call("GET /cluster/list")).status);
      return statuses;
    };
    expect(await run(7)).toEqual(await run(7));
    expect(await run(7)).not.toEqual(await run(8));
  });

  test("one for a route that does not exist is refused", async () => {
    await using it = await scene({ kind: "stuck" });
    expect(() => it.api.addFault({ kind: "reset", on: "POST /clusters" })).toThrow(RangeError);
    await expect(startEmulator({ faults: [{ kind: "reset", on: "POST /clusters" }] })).rejects.toThrow(RangeError);
  });
});

test("FAULT_KINDS has every kind once", () => {
  expect(new Set(FAULT_KINDS).size).toBe(FAULT_KINDS.length);
  expect(FAULT_KINDS).toHaveLength(18);
});
