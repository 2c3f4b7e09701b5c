import { describe, expect, test } from "vitest";
import * as routes from "../../provider/api/routes.ts";
import { ApiError } from "../../provider/errors.ts";
import { VERSION } from "../../provider/version.ts";
import { virtualClock } from "../virtual-clock.ts";
import { BASE_URL, broken, fakeApi, KEY, type Move } from "./fake-context.ts";

describe("call()", () => {
  test("sends the key, the version and the query, and no body, when it reads", async () => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [{ body: { clusters: [] } }]);
    const answer = await clock.run(api.call(routes.listClusters, { query: { include_org: "true" } }));
    expect(answer).toEqual({ status: 200, body: { clusters: [] }, askAgainAtMs: undefined });
    expect(sent).toMatchObject([
      {
        method: "GET",
        url: `${BASE_URL}/cluster/list?include_org=true`,
        headers: { authorization: `Bearer ${KEY}`, "user-agent": `pulumi-tensorpool/${VERSION}` },
        body: null,
      },
    ]);
    expect(sent[0]?.headers).not.toHaveProperty("content-type");
  });

  test("sends JSON when it has a body", async () => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [{ status: 202, body: { request_id: "r" } }]);
    await clock.run(api.call(routes.createVolume, { body: { size: 1 } }));
    expect(sent[0]).toMatchObject({
      method: "POST",
      body: '{"size":1}',
      headers: { "content-type": "application/json" },
    });
  });

  test("encodes the id when it holds characters that mean something in a path", async () => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [{}]);
    await clock.run(api.call(routes.clusterInfo, { id: "a/b?c$&" }));
    expect(sent[0]?.url).toBe(`${BASE_URL}/cluster/info/a%2Fb%3Fc%24%26`);
  });

  test("waits for its time and tells the next one when the server asks for it", async () => {
    const clock = virtualClock();
    const startMs = clock.now();
    const { api, sent } = fakeApi(clock, [{ headers: { "retry-after": "4" } }]);
    const answer = await clock.run(api.call(routes.requestInfo, { id: "r", notBeforeMs: startMs + 2_000 }));
    expect(sent[0]?.atMs).toBe(startMs + 2_000);
    expect(answer.askAgainAtMs).toBe(startMs + 6_000);
  });

  test("takes an empty success when its status is 204", async () => {
    const clock = virtualClock();
    const { api } = fakeApi(clock, [{ status: 204, body: "" }]);
    expect((await clock.run(api.call(routes.destroyCluster, { id: "c-1" }))).body).toEqual({});
  });

  test.for([
    { status: 500 },
    { status: 503 },
    { status: 408 },
    { body: "{" },
    { body: "[1]" },
    broken("ECONNRESET"),
  ] satisfies Move[])("sends a read five times in all when it always gets %j", async (move) => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [move]);
    const call = clock.run(api.call(routes.clusterInfo, { id: "c-1" }));
    await expect(call).rejects.toThrow(ApiError);
    await expect(call).rejects.toMatchObject({ attempts: 5 });
    expect(sent).toHaveLength(5);
  });

  test("does not count 429 when it limits the attempts", async () => {
    const clock = virtualClock();
    const moves: Move[] = [...Array<Move>(7).fill({ status: 429 }), { body: { name: "train" } }];
    const { api, sent } = fakeApi(clock, moves);
    const answer = await clock.run(api.call(routes.clusterInfo, { id: "c-1", mostAttempts: 1 }));
    expect(answer.body).toEqual({ name: "train" });
    expect(sent).toHaveLength(8);
  });

  test.for([429, 503])("is not early when a %d names its time", async (status) => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [{ status, headers: { "retry-after": "12" } }, {}]);
    await clock.run(api.call(routes.clusterInfo, { id: "c-1" }));
    const gapMs = (sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0);
    expect(gapMs).toBeGreaterThanOrEqual(12_000);
    expect(gapMs).toBeLessThanOrEqual(12_100);
  });

  test("makes every other call wait too when one gets 429", async () => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [{ status: 429, headers: { "retry-after": "30" } }, {}]);
    const first = api.call(routes.requestInfo, { id: "r" });
    await clock.settle();
    await clock.run(Promise.all([first, api.call(routes.createCluster, { body: {} })]));
    expect((sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(30_000);
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET", "POST"]);
  });

  test("fails with the server's words, without the key and cut, when the server repeats all it got", async () => {
    const clock = virtualClock();
    const { api } = fakeApi(clock, [{ status: 400, body: { message: `bad ${KEY} ${"x".repeat(2_000)}` } }]);
    const error: unknown = await clock
      .run(api.call(routes.clusterInfo, { id: "c" }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(String(error)).toContain("bad (API key)");
    expect(String(error).length).toBeLessThan(1_000);
  });

  test("shows no part of the key when the words are cut in the middle of it", async () => {
    const clock = virtualClock();
    const { api } = fakeApi(clock, [{ status: 400, body: `${"x".repeat(495)}${KEY}` }]);
    const error: unknown = await clock
      .run(api.call(routes.clusterInfo, { id: "c" }))
      .catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain(KEY.slice(0, 5));
  });
});
