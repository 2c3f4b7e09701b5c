import { expect, test } from "vitest";
import { CLUSTER, VOLUME } from "./args.ts";
import { billed, early, everBilled } from "./outcome.ts";
import { startWorld } from "./world.ts";

test("200 creates against a bucket of 10 requests a second all succeed", async () => {
  await using world = await startWorld({
    rateLimit: { perSecond: 10, burst: 10 },
    operationSeconds: 120,
    retryAfterSeconds: 60,
  });
  const up = world.start();
  const names = Array.from({ length: 200 }, (_, index) => `train-${index}`);
  const made = await world.run(Promise.all(names.map((name) => up.make("cluster", name, CLUSTER))));
  expect(made.flatMap(({ reasons }) => reasons)).toEqual([]);
  expect(everBilled(world)).toHaveLength(200);
  expect(early(world)).toEqual([]);
  const refused = world.entries().filter(({ status }) => status === 429).length;
  // No thundering herd: far fewer refusals than requests that came through.
  expect(refused).toBeLessThan(world.entries().length / 4);
}, 20_000);

test("after a 429 requests go on one by one, and nobody is sent before its end", async () => {
  await using world = await startWorld({ operationSeconds: 60 });
  const up = world.start();
  world.api.addFault({ kind: "too-many", retryAfter: 30, on: "POST /cluster/create", after: 3 });
  const sinceMs = world.clock.now();
  const names = Array.from({ length: 20 }, (_, index) => `train-${index}`);
  await world.run(Promise.all(names.map((name) => up.make("cluster", name, CLUSTER))));
  const within = world.entries().filter(({ atMs }) => atMs > sinceMs && atMs < sinceMs + 30_000);
  expect(within).toEqual([]);
  expect(everBilled(world)).toHaveLength(20);
});

test("deletes and polls go before new creates", async () => {
  let underWay = 0;
  let most = 0;
  await using world = await startWorld({ operationSeconds: 10 }, async (request, send) => {
    underWay += 1;
    most = Math.max(most, underWay);
    const response = await send(request);
    underWay -= 1;
    return response;
  });
  const up = world.start();
  const old = await world.run(
    Promise.all([1, 2, 3, 4, 5].map((index) => up.make("storageVolume", `old-${index}`, VOLUME))),
  );
  world.api.addFault({ kind: "too-many", retryAfter: 5 });
  const before = world.entries().length;
  most = 0;
  const creates = Array.from({ length: 30 }, (_, index) => up.make("storageVolume", `new-${index}`, VOLUME));
  await world.run(Promise.all([...creates, ...old.map((one) => up.destroy(one))]));
  const calls = world
    .entries()
    .slice(before)
    .filter(({ status }) => status === 202);
  const lastDelete = calls.findLastIndex(({ method }) => method === "DELETE");
  // One may slip in between a delete's look and its DELETE, while the delete has not asked for its turn yet.
  expect(calls.slice(0, lastDelete).filter(({ method }) => method === "POST").length).toBeLessThanOrEqual(1);
  expect(billed(world)).toHaveLength(30);
  expect(most).toBeLessThanOrEqual(16);
});
