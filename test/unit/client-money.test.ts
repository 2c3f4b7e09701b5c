import { describe, expect, test } from "vitest";
import type { Api } from "../../provider/api/client.ts";
import * as routes from "../../provider/api/routes.ts";
import type { HttpRequest, Transport } from "../../provider/api/transport.ts";
import { AnswerLostError, ApiError, StoppedError } from "../../provider/errors.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";
import { apiOver, broken, fakeApi, type Move, response } from "./fake-context.ts";

const ACCEPTED: Move = { status: 202, body: { request_id: "r-1" } };

/** A far end that never answers; the request ends only when its own signal ends it. */
function silentApi(clock: VirtualClock): { api: Api; sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  const transport: Transport = (request) => {
    sent.push(request);
    return new Promise((_resolve, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  };
  return { api: apiOver(clock, transport), sent };
}

describe("call() that buys", () => {
  test.for([
    broken("ECONNRESET"),
    broken("UND_ERR_HEADERS_TIMEOUT"),
    broken("UND_ERR_RES_EXCEEDED_MAX_SIZE"),
    { status: 500 },
    { status: 502, body: "<html>" },
    { status: 503, headers: { "retry-after": "1" } },
    { status: 408 },
    { status: 202, body: "{ broken" },
    { status: 202, body: "" },
    { status: 200, body: "[]" },
  ] satisfies Move[])("is sent once and lost when it gets %j", async (move) => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [move, ACCEPTED]);
    await expect(clock.run(api.call(routes.createCluster, { body: {} }))).rejects.toThrow(AnswerLostError);
    expect(sent).toHaveLength(1);
  });

  test.for([broken("ECONNREFUSED"), broken("ENOTFOUND"), broken("CERT_HAS_EXPIRED"), { status: 429 }] satisfies Move[])(
    "is sent again when %j promises that nothing was done",
    async (move) => {
      const clock = virtualClock();
      const { api, sent } = fakeApi(clock, [move, ACCEPTED]);
      expect((await clock.run(api.call(routes.createCluster, { body: {} }))).status).toBe(202);
      expect(sent).toHaveLength(2);
    },
  );

  test.for([301, 400, 401, 402, 403, 404, 409, 422])("is sent once and refused when it gets %d", async (status) => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [{ status }, ACCEPTED]);
    const call = clock.run(api.call(routes.createCluster, { body: {} }));
    await expect(call).rejects.toThrow(ApiError);
    await expect(call).rejects.toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });

  test("tells that its answer was lost when it is stopped while it is on the wire", async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const transport: Transport = async () => {
      stop.abort(new StoppedError("cancelled", 1_000));
      throw broken("ECONNRESET");
    };
    const api = apiOver(clock, transport);
    const call = api.call(routes.createCluster, { body: {}, signal: stop.signal });
    await expect(clock.run(call)).rejects.toThrow(AnswerLostError);
  });

  test("is finished when it is stopped while it is on the wire", async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const transport: Transport = async ({ signal }) => {
      stop.abort(new StoppedError("cancelled", 1_000));
      signal.throwIfAborted();
      return response(ACCEPTED as Exclude<Move, Error>);
    };
    const api = apiOver(clock, transport);
    const answer = await clock.run(api.call(routes.createCluster, { body: {}, signal: stop.signal }));
    expect(answer.body).toEqual({ request_id: "r-1" });
  });

  test("is not sent when it was stopped before", async () => {
    const clock = virtualClock();
    const { api, sent } = fakeApi(clock, [ACCEPTED]);
    const signal = AbortSignal.abort(new StoppedError("cancelled", 1_000));
    await expect(api.call(routes.createCluster, { body: {}, signal })).rejects.toThrow(StoppedError);
    expect(sent).toHaveLength(0);
  });

  test("is given up as lost when no answer comes within 30 s", async () => {
    const clock = virtualClock();
    const startMs = clock.now();
    const { api, sent } = silentApi(clock);
    const call = clock.run(api.call(routes.createCluster, { body: {} }));
    await expect(call).rejects.toThrow(AnswerLostError);
    await expect(call).rejects.toThrow("no answer within 30 s");
    expect([sent.length, clock.now() - startMs]).toEqual([1, 30_000]);
  });
});

describe("call() that settles", () => {
  test.for([routes.destroyCluster, routes.editVolume])(
    "is sent again when the answer of $method was lost",
    async (route) => {
      const clock = virtualClock();
      const { api, sent } = fakeApi(clock, [broken("ECONNRESET"), { status: 500 }, ACCEPTED]);
      expect((await clock.run(api.call(route, { id: "c-1" }))).status).toBe(202);
      expect(sent).toHaveLength(3);
    },
  );

  test("tells of the lost answer, and not of the stop, when it is stopped before it is repeated", async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const { api, sent } = fakeApi(clock, [{ status: 500, headers: { "retry-after": "20" } }]);
    const call = api.call(routes.destroyCluster, { id: "c-1", signal: stop.signal });
    await clock.settle();
    stop.abort(new StoppedError("cancelled", 1_000));
    await expect(call).rejects.toMatchObject({ name: "ApiError", status: 500 });
    expect(sent).toHaveLength(1);
  });

  test("tells of the stop when the server has done nothing yet", async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    const { api } = fakeApi(clock, [{ status: 429, headers: { "retry-after": "20" } }]);
    const call = api.call(routes.destroyCluster, { id: "c-1", signal: stop.signal });
    await clock.settle();
    stop.abort(new StoppedError("cancelled", 1_000));
    await expect(call).rejects.toThrow(StoppedError);
  });
});

test("call() that reads ends at once when it is stopped while it is on the wire", async () => {
  const clock = virtualClock();
  const stop = new AbortController();
  const { api, sent } = silentApi(clock);
  const call = api.call(routes.listClusters, { signal: stop.signal });
  await clock.settle();
  stop.abort(new StoppedError("cancelled", 1_000));
  await expect(call).rejects.toThrow(StoppedError);
  expect([sent.length, clock.sleepers]).toEqual([1, 0]);
});
