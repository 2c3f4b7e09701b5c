import { describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../emulator/index.ts";
import { virtualClock } from "../virtual-clock.ts";
import { callsTo } from "./emulator-call.ts";

const start = (): Promise<Emulator> => startEmulator({ clock: virtualClock() });

/** Two volumes that are attached to one cluster. */
function attached(api: Emulator): { cluster: string; first: string; second: string } {
  const cluster = api.addCluster({ instance_type: "8xH200", num_nodes: 2 });
  const [first, second] = [api.addVolume(), api.addVolume()];
  api.edit(cluster, { storage: [first, second] });
  return { cluster, first, second };
}

describe("POST /storage/detach", () => {
  test("refuses what is not attached", async () => {
    await using api = await start();
    const body = { storage_id: api.addVolume(), cluster_id: attached(api).cluster };
    expect((await callsTo(api)("POST /storage/detach", body)).status).toBe(409);
  });

  test("refuses a cluster that detaches another volume", async () => {
    await using api = await start();
    const { cluster, first, second } = attached(api);
    const call = callsTo(api);
    expect((await call("POST /storage/detach", { storage_id: first, cluster_id: cluster })).status).toBe(202);
    expect((await call("POST /storage/detach", { storage_id: second, cluster_id: cluster })).status).toBe(409);
  });

  test("refuses a cluster that attaches another volume", async () => {
    await using api = await start();
    const { cluster, first } = attached(api);
    const call = callsTo(api);
    const other = { storage_id: api.addVolume(), cluster_ids: [cluster] };
    expect((await call("POST /storage/attach", other)).status).toBe(202);
    expect((await call("POST /storage/detach", { storage_id: first, cluster_id: cluster })).status).toBe(409);
  });

  test("a second time takes over from the first, which then has failed", async () => {
    await using api = await start();
    const { cluster, first } = attached(api);
    const call = callsTo(api);
    const body = { storage_id: first, cluster_id: cluster };
    const { body: answer } = await call("POST /storage/detach", body);
    expect((await call("POST /storage/detach", body)).status).toBe(202);
    const info = await call(`GET /request/info/${String(answer["request_id"])}`);
    expect(info.body).toMatchObject({ status: "FAILED", external_message: expect.stringContaining("taken over") });
  });
});
