import { describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../emulator/index.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type CallApi, callsTo, inside } from "./emulator-call.ts";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@laptop";
const TEXT: string = expect.any(String);
const CREDENTIALS = { access_key_id: TEXT, secret_access_key: TEXT, endpoint: TEXT, region: TEXT };

interface Stage extends AsyncDisposable {
  readonly api: Emulator;
  readonly call: CallApi;
  /** The route with the ids of this stage in the place of `{cluster}` and the like. */
  readonly at: (route: string) => string;
}

/** One of each: a cluster that takes storage, a volume, a completed and a running job, a key, object storage. */
async function stage(): Promise<Stage> {
  const api = await startEmulator({ clock: virtualClock(), operationSeconds: 1 });
  const call = callsTo(api);
  const ids: Record<string, string> = {
    cluster: api.addCluster({ name: "train", instance_type: "8xH200", num_nodes: 2 }),
    volume: api.addVolume({ name: "data", size_gb: 100 }),
    completed: api.addJob({ outputs: { "model.bin": "x" } }),
    running: api.addJob({ status: "running" }),
  };
  const info = await call(`GET /cluster/info/${ids["cluster"]}`);
  const [instance] = inside(info, "cluster_info")["instances"] as { id: string }[];
  const key = await call("POST /user/ssh-key/add", { public_key: KEY, name: "laptop" });
  const request = await call("POST /cluster/create", { instance_type: "1xL40S" });
  await call("POST /object-storage/enable");
  await call("PUT /object-storage/bucket/create/models");
  Object.assign(ids, {
    instance: instance?.id,
    key: key.body["key_id"],
    request: request.body["request_id"],
  });
  return {
    api,
    call,
    at: (route) => route.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? name),
    [Symbol.asyncDispose]: () => api.close(),
  };
}

/** The only status that the vendor's client takes for success, and the fields that it, or the documentation, names. */
const ROUTES: readonly (readonly [route: string, status: number, body: object, sent?: object])[] = [
  [
    "POST /cluster/create",
    202,
    { cluster_id: /^c-/, instance_ids: [TEXT], request_id: TEXT, message: TEXT },
    { instance_type: "1xH100" },
  ],
  ["GET /cluster/list", 200, { message: TEXT, clusters: [{ name: "train" }, {}] }],
  ["GET /cluster/list?include_org=True", 200, { message: TEXT, clusters: [] }],
  ["GET /cluster/list?instances=True", 200, { message: /i-/ }],
  [
    "GET /cluster/info/{cluster}",
    200,
    { message: TEXT, cluster_info: { id: /^c-/, instance_type: "8xH200", storage: [] } },
  ],
  ["GET /cluster/info/train", 200, { cluster_info: { id: /^c-/ } }],
  ["PATCH /cluster/edit/{cluster}", 202, { message: TEXT }, { cluster_name: "serve" }],
  ["DELETE /cluster/{cluster}", 202, { cluster_id: /^c-/, request_id: TEXT, message: TEXT }],
  ["GET /cluster/quote?instance_type=8xH200&num_nodes=2", 200, { hourly_rate: 47.84 }],
  ["POST /storage/create", 202, { storage_id: /^s-/, request_id: TEXT, message: TEXT }, { size: 1 }],
  ["GET /storage/list", 200, { message: TEXT, volumes: [{ name: "data", size_gb: 100 }] }],
  ["GET /storage/info/{volume}", 200, { message: TEXT, storage_info: { id: /^s-/, attached_clusters: [] } }],
  ["PATCH /storage/edit/{volume}", 202, { message: TEXT }, { size_gb: 200 }],
  ["DELETE /storage/{volume}", 202, { storage_id: /^s-/, request_id: TEXT, message: TEXT }],
  ["GET /storage/quote?size_gb=100", 200, { hourly_rate: expect.any(Number) }],
  [
    "GET /request/info/{request}",
    200,
    {
      request_id: /^r-/,
      request_type: "CLUSTER_CLAIM",
      status: "PENDING",
      created_at: TEXT,
      object_id: /^c-/,
      external_message: null,
    },
  ],
  ["GET /job/init", 200, { empty_tp_config: TEXT }],
  ["GET /job/list", 200, { message: TEXT, jobs: [{ status: "completed" }, { status: "running" }] }],
  ["GET /job/list?include_org=True", 200, { message: TEXT, jobs: [] }],
  ["GET /job/info/{completed}", 200, { message: TEXT, job_info: { id: /^j-/, status: "completed", exit_code: 0 } }],
  ["POST /job/cancel/{running}", 202, { job_id: /^j-/, message: TEXT, status: "canceling" }],
  [
    "GET /job/pull/{completed}",
    200,
    { message: TEXT, download_map: { "model.bin": /^http/ }, command: null, command_show_stdout: null },
  ],
  ["DELETE /job/delete/{completed}", 200, { message: TEXT }],
  ["GET /ssh/{instance}?system=Linux", 200, { command: /^echo ssh ubuntu@203\.0\.113\./ }],
  ["GET /user/info", 200, { message: TEXT }],
  ["GET /user/organization/info", 200, { org_name: TEXT, members: [{ uid: TEXT, email: TEXT }], balance: 100 }],
  ["GET /user/preferences", 200, { notify_email_cluster_create: true, balance_warning_threshold: null }],
  ["PATCH /user/preferences", 200, { autopay_enabled: true }, { autopay_enabled: true }],
  ["POST /user/ssh-key/add", 200, { key_id: TEXT, message: TEXT }, { public_key: "ssh-ed25519 BBBB" }],
  ["GET /user/ssh-key/list", 200, { message: TEXT, keys: [{ id: TEXT, name: "laptop", public_key: KEY }] }],
  ["DELETE /user/ssh-key/remove/{key}", 200, { message: TEXT }],
  ["POST /health", 200, {}, { package_version: "0.0.9", uname: ["Linux"] }],
  ["GET /healthz", 200, {}],
  ["POST /object-storage/enable", 200, CREDENTIALS],
  ["GET /object-storage/credentials", 200, CREDENTIALS],
  ["POST /object-storage/rotate-keys", 200, CREDENTIALS],
  ["GET /object-storage/configure/rclone", 200, { rclone_config: /^\[tp\]\ntype = s3\n/, remote_name: "tp" }],
  [
    "GET /object-storage/configure/aws",
    200,
    {
      profile_name: "tp",
      credentials_file: /^\[tp\]\naws_access_key_id = /,
      config_file: /^\[profile tp\]\nregion = /,
      endpoint: TEXT,
    },
  ],
  ["GET /object-storage/bucket/list", 200, { buckets: ["models"] }],
  ["PUT /object-storage/bucket/create/more", 201, { message: TEXT }],
];

/** The patterns in `body` as matchers. */
function matching(body: unknown): unknown {
  if (body instanceof RegExp) return expect.stringMatching(body);
  if (Array.isArray(body)) return body.map(matching);
  const isPlain = typeof body === "object" && body !== null && Object.getPrototypeOf(body) === Object.prototype;
  if (!isPlain) return body;
  return Object.fromEntries(Object.entries(body as object).map(([key, value]) => [key, matching(value)]));
}

describe("answers", () => {
  test.for(ROUTES)("%s with %i", async ([route, status, body, sent]) => {
    await using it = await stage();
    const answer = await it.call(it.at(route), sent);
    expect(answer).toMatchObject({ status, body: matching(body) });
    expect(answer.body).not.toHaveProperty("text");
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  test("DELETE /object-storage/bucket/delete/{bucket_name} with 204 and no body", async () => {
    await using it = await stage();
    const answer = await it.call("DELETE /object-storage/bucket/delete/models");
    expect(answer).toMatchObject({ status: 204, body: { text: "" } });
    expect((await it.call("DELETE /object-storage/disable")).status).toBe(200);
  });

  test.for(ROUTES.filter(([route]) => route !== "GET /healthz"))("%s without a valid key with 401", async ([route]) => {
    await using it = await stage();
    const { status, body } = await callsTo(it.api, "wrong")(it.at(route));
    expect({ status, body }).toEqual({ status: 401, body: { error: "Invalid or missing authentication token" } });
  });

  test.for([
    "GET /cluster/info/c-0",
    "PATCH /cluster/edit/c-0",
    "DELETE /cluster/c-0",
    "GET /storage/info/s-0",
    "PATCH /storage/edit/s-0",
    "DELETE /storage/s-0",
    "GET /request/info/r-0",
    "GET /job/info/j-0",
    "POST /job/cancel/j-0",
    "GET /job/pull/j-0",
    "DELETE /job/delete/j-0",
    "GET /ssh/i-0",
    "DELETE /user/ssh-key/remove/k-0",
    "DELETE /object-storage/bucket/delete/b-0",
  ])("%s, which nobody knows, with 404 and a message", async (route) => {
    await using it = await stage();
    expect(await it.call(route)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining("not found") },
    });
  });

  test.for([
    "POST /cluster/create",
    "POST /storage/create",
    "POST /storage/attach",
    "POST /storage/detach",
    "POST /user/ssh-key/add",
  ])("%s without a body with 422 in the form of FastAPI", async (route) => {
    await using it = await stage();
    const detail = [{ loc: ["body", TEXT], msg: TEXT, type: TEXT }];
    const answer = await it.call(route);
    expect(answer).toMatchObject({ status: 422, body: { message: TEXT } });
    expect(answer.body["detail"]).toEqual(expect.arrayContaining(detail));
  });

  test.for(["[]", "{", "7", '"text"'])("a body %s with 422", async (body) => {
    await using it = await stage();
    expect(await it.call("POST /cluster/create", body)).toMatchObject({ status: 422, body: { message: TEXT } });
  });

  test.for(["GET /", "GET /cluster/info/", "GET /cluster/info/%E0%A4%A", "PUT /cluster/list"])(
    "%s, which is no route, with 404",
    async (route) => {
      await using it = await stage();
      expect((await it.call(route)).status).toBe(404);
    },
  );
});
