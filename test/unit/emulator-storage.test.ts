import { describe, expect, test } from "vitest";
import { type EmulatorOptions, startEmulator } from "../emulator/index.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";
import { callsTo, inside, textIn } from "./emulator-call.ts";

/** A two-node cluster and a volume, on virtual time. */
async function scene(options: EmulatorOptions = {}) {
  const clock: VirtualClock = virtualClock();
  const api = await startEmulator({ clock, ...options });
  const cluster = api.addCluster({ instance_type: "8xH200", num_nodes: 2 });
  const volume = api.addVolume({ size_gb: 100 });
  const call = callsTo(api);
  return {
    api,
    clock,
    call,
    cluster,
    volume,
    attach: () => call("POST /storage/attach", { storage_id: volume, cluster_ids: [cluster] }),
    detach: () => call("POST /storage/detach", { storage_id: volume, cluster_id: cluster }),
    clusterInfo: async () => inside(await call(`GET /cluster/info/${cluster}`), "cluster_info"),
    volumeInfo: async () => inside(await call(`GET /storage/info/${volume}`), "storage_info"),
    [Symbol.asyncDispose]: () => api.close(),
  };
}

test("POST /storage/create makes a volume of the size in GB", async () => {
  await using it = await scene();
  const { status, body } = await it.call("POST /storage/create", {
    size: 500,
    name: "data",
    deletion_protection: false,
  });
  expect([status, Object.keys(body)]).toEqual([202, ["storage_id", "request_id", "message"]]);
  await it.clock.advance(1_000);
  const info = await it.call(`GET /storage/info/${textIn(body, "storage_id")}`);
  expect(inside(info, "storage_info")).toMatchObject({
    id: body["storage_id"],
    name: "data",
    size_gb: 500,
    status: "READY",
    hourly_rate: 0.068493,
    attached_clusters: [],
    deletion_protection: false,
  });
});

test.for([{}, { size: 0 }, { size: 1.5 }, { size: "100" }])("POST /storage/create refuses %j", async (body) => {
  await using it = await scene();
  expect((await it.call("POST /storage/create", body)).status).toBe(422);
});

describe("PATCH /storage/edit/{storage_id}", () => {
  test("grows the volume and its price", async () => {
    await using it = await scene();
    expect((await it.call(`PATCH /storage/edit/${it.volume}`, { size_gb: 200, tp_storage_name: "big" })).status).toBe(
      202,
    );
    await it.clock.advance(1_000);
    expect(await it.volumeInfo()).toMatchObject({ size_gb: 200, name: "big", hourly_rate: 0.027397 });
  });

  test("refuses to shrink it", async () => {
    await using it = await scene();
    const { status, body } = await it.call(`PATCH /storage/edit/${it.volume}`, { size_gb: 99 });
    expect([status, body["message"]]).toEqual([422, "Cannot shrink a volume: its size is 100 GB"]);
  });
});

describe("POST /storage/attach", () => {
  test("answers a list of request ids, restarts the cluster, then shows on both sides", async () => {
    await using it = await scene();
    const { body } = await it.attach();
    expect(body).toMatchObject({ storage_id: it.volume, cluster_ids: [it.cluster], request_ids: [expect.any(String)] });
    expect(body).not.toHaveProperty("request_id");
    expect(await it.clusterInfo()).toMatchObject({ status: "CONFIGURING", storage: [] });
    await it.clock.advance(1_000);
    expect(await it.clusterInfo()).toMatchObject({ status: "RUNNING", storage: [it.volume] });
    expect(await it.volumeInfo()).toMatchObject({ attached_clusters: [it.cluster] });
  });

  test.for([
    { instance_type: "1xH100", num_nodes: 1, status: 422 },
    { instance_type: "8xH200", num_nodes: 1, status: 422 },
    { instance_type: "8xB200", num_nodes: 3, status: 202 },
    { instance_type: "32xCPU", num_nodes: 1, status: 202 },
  ])("answers $status for $num_nodes x $instance_type", async ({ status, ...wish }) => {
    await using it = await scene();
    const cluster = it.api.addCluster(wish);
    const answer = await it.call("POST /storage/attach", { storage_id: it.volume, cluster_ids: [cluster] });
    expect(answer.status).toBe(status);
  });

  test("refuses a cluster that does not run yet", async () => {
    await using it = await scene();
    const made = await it.call("POST /cluster/create", { instance_type: "32xCPU" });
    const body = { storage_id: it.volume, cluster_ids: [made.body["cluster_id"]] };
    expect((await it.call("POST /storage/attach", body)).status).toBe(409);
  });

  test("refuses two clusters at once, and what is attached already", async () => {
    await using it = await scene();
    const both = { storage_id: it.volume, cluster_ids: [it.cluster, it.cluster] };
    expect((await it.call("POST /storage/attach", both)).status).toBe(422);
    await it.attach();
    await it.clock.advance(1_000);
    expect((await it.attach()).status).toBe(409);
  });
});

test("DELETE refuses a cluster and a volume that are attached, until POST /storage/detach is over", async () => {
  await using it = await scene();
  await it.attach();
  await it.clock.advance(1_000);
  const statuses = async (): Promise<number[]> => [
    (await it.call(`DELETE /cluster/${it.cluster}`)).status,
    (await it.call(`DELETE /storage/${it.volume}`)).status,
  ];
  expect(await statuses()).toEqual([409, 409]);
  expect((await it.detach()).status).toBe(202);
  expect(await statuses()).toEqual([409, 409]);
  await it.clock.advance(1_000);
  expect(await it.volumeInfo()).toMatchObject({ attached_clusters: [] });
  expect((await it.detach()).status).toBe(409);
  expect(await statuses()).toEqual([202, 202]);
});

test("GET /storage/quote?size_gb=100 gives the price of an hour", async () => {
  await using it = await scene();
  expect((await it.call("GET /storage/quote?size_gb=100")).body).toEqual({ hourly_rate: 0.013699 });
});
