import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../emulator/index.ts";
import { CLUSTER, VOLUME } from "./args.ts";
import { startWorld, type World } from "./world.ts";

const isPoll = ({ path }: { path: string }): boolean => path.startsWith("/request/info/");

/** When each poll came, in seconds after the first purchase. */
function pollSeconds(world: World): number[] {
  const entries = world.entries();
  const sinceMs = entries.find(({ method }) => method === "POST")?.atMs ?? 0;
  return entries.filter(isPoll).map(({ atMs }) => (atMs - sinceMs) / 1_000);
}

const early = (world: World): unknown[] => world.entries().filter((one) => one.early);

describe("Retry-After", () => {
  test.for<{ options: EmulatorOptions; polls: number[] }>([
    { options: { retryAfterSeconds: 2 }, polls: [2, 4, 6] },
    { options: { retryAfterSeconds: 1.5 }, polls: [1.5, 3, 4.5, 6] },
    { options: { retryAfterSeconds: 7 }, polls: [7] },
    { options: { retryAfterSeconds: 3, retryAfterFormat: "http-date" }, polls: [3, 6] },
    { options: { retryAfterSeconds: 3, retryAfterFormat: "http-date", clockSkewSeconds: 3_600 }, polls: [3, 6] },
    { options: { retryAfterSeconds: 3, retryAfterFormat: "http-date", clockSkewSeconds: -86_400 }, polls: [3, 6] },
    // Nothing said, and a zero, leave it to our own interval.
    { options: { retryAfterSeconds: null }, polls: [1, 2, 3, 4, 5] },
    { options: { retryAfterSeconds: 0 }, polls: [1, 2, 3, 4, 5] },
  ])("$options makes polls after $polls seconds", async ({ options, polls }) => {
    await using world = await startWorld(options);
    await world.run(world.start().make("cluster", "train", CLUSTER));
    expect(pollSeconds(world)).toEqual(polls);
    expect(early(world)).toEqual([]);
  });

  test("is obeyed by create, update, attach, detach and delete of many at once", async () => {
    await using world = await startWorld({ retryAfterSeconds: 1.7, operationSeconds: 20 });
    const up = world.start();
    const one = async (index: number): Promise<void> => {
      const [cluster, volume] = await Promise.all([
        up.make("cluster", `train-${index}`, CLUSTER),
        up.make("storageVolume", `data-${index}`, VOLUME),
      ]);
      const grown = await up.again(volume, { sizeGb: 700 });
      const ends = { clusterId: cluster.id, storageId: volume.id };
      await up.destroy(await up.make("storageAttachment", `link-${index}`, ends));
      await Promise.all([up.destroy(cluster), up.destroy(grown.kept)]);
    };
    await world.run(Promise.all([1, 2, 3, 4, 5].map(one)));
    expect(world.entries().filter(isPoll).length).toBeGreaterThan(200);
    expect(early(world)).toEqual([]);
    expect(world.api.ledger().billed).toEqual([]);
  });

  test("of a 202 holds for a later process too", async () => {
    await using world = await startWorld({ retryAfterSeconds: 50, operationSeconds: 60 });
    const up = world.start();
    const making = up.make("cluster", "train", CLUSTER);
    await world.clock.advance(20_000);
    up.cancel();
    const interrupted = await world.run(making);
    const { kept } = await world.run(world.start().again(interrupted));
    expect(kept.reasons).toEqual([]);
    expect(pollSeconds(world)).toEqual([50, 100]);
    expect(early(world)).toEqual([]);
  });

  test("of a 429 stops all polls, also those that were to come sooner", async () => {
    await using world = await startWorld({ retryAfterSeconds: 1, operationSeconds: 60 });
    const up = world.start();
    const making = Promise.all(["a", "b", "c"].map((name) => up.make("cluster", name, CLUSTER)));
    await world.clock.advance(5_000);
    world.api.addFault({ kind: "too-many", retryAfter: 30, on: "GET /request/info/{request_id}" });
    await world.run(making);
    const polls = pollSeconds(world);
    expect(polls.filter((seconds) => seconds > 6.1 && seconds < 35)).toEqual([]);
    expect(early(world)).toEqual([]);
  });
});

describe("the answer that ends a wait", () => {
  test.for<{ verb: string; last: string }>([
    { verb: "create", last: "GET /cluster/info/{cluster}" },
    { verb: "delete", last: "GET /cluster/list" },
  ])("of a $verb is followed by no sleep and no further poll", async ({ verb }) => {
    await using world = await startWorld({ operationSeconds: 4, retryAfterSeconds: 4 });
    const up = world.start();
    const making = up.make("cluster", "train", CLUSTER);
    const seconds = await world.seconds(making);
    expect(seconds).toBe(4);
    const made = await making;
    if (verb === "delete") expect(await world.seconds(up.destroy(made))).toBe(4);
    await world.clock.advance(600_000);
    const last = world.entries().at(-1);
    expect(last?.atMs).toBe(world.clock.now() - 600_000);
  });

  test("is all that is asked when the cluster is ready", async () => {
    await using world = await startWorld({ operationSeconds: 4, retryAfterSeconds: 4 });
    await world.run(world.start().make("cluster", "train", CLUSTER));
    expect(world.entries().filter(isPoll)).toHaveLength(1);
  });
});

describe("a wait goes on", () => {
  test.for([
    { name: "an undocumented status", fault: { kind: "unknown-status", word: "REBALANCING", polls: 3 } },
    { name: "a server error", fault: { kind: "status", status: 500, on: "GET /request/info/{request_id}", times: 4 } },
    { name: "broken JSON", fault: { kind: "broken-json", on: "GET /request/info/{request_id}", times: 4 } },
    { name: "a list", fault: { kind: "list-json", on: "GET /request/info/{request_id}", times: 4 } },
    { name: "an empty answer", fault: { kind: "empty", on: "GET /request/info/{request_id}", times: 4 } },
    { name: "a huge answer", fault: { kind: "huge-json", on: "GET /request/info/{request_id}", times: 1 } },
    { name: "a reset", fault: { kind: "reset", on: "GET /request/info/{request_id}", times: 4 } },
    { name: "a lost answer", fault: { kind: "lost-answer", on: "GET /request/info/{request_id}", times: 4 } },
    {
      name: "an answer slower than the limit of a request",
      fault: { kind: "slow", seconds: 40, on: "GET /request/info/{request_id}" },
    },
    { name: "two answers 404", fault: { kind: "status", status: 404, on: "GET /request/info/{request_id}", times: 2 } },
    {
      name: "a 429 without Retry-After",
      fault: { kind: "too-many", retryAfter: null, on: "GET /request/info/{request_id}", times: 3 },
    },
    {
      name: "a 429 with junk",
      fault: { kind: "too-many", retryAfter: "soon", on: "GET /request/info/{request_id}", times: 3 },
    },
  ] as const)("after $name", async ({ fault }) => {
    await using world = await startWorld({ retryAfterSeconds: 1, faults: [fault] });
    const made = await world.run(world.start().make("cluster", "train", CLUSTER));
    expect(made).toMatchObject({ reasons: [], outputs: { status: "RUNNING" } });
    expect(world.api.faultsFired()).toEqual({ [fault.kind]: "times" in fault ? fault.times : 1 });
    expect(world.api.ledger().everBilled).toHaveLength(1);
    expect(early(world)).toEqual([]);
  });

  test("says an undocumented status once", async () => {
    await using world = await startWorld({ faults: [{ kind: "unknown-status", word: "REBALANCING", polls: 3 }] });
    await world.run(world.start().make("cluster", "train", CLUSTER));
    const said = world.lines.filter(({ message }) => message.includes('undocumented status "REBALANCING"'));
    expect(said).toMatchObject([{ severity: "info" }]);
  });

  test("on the object itself when the server has forgotten the request", async () => {
    await using world = await startWorld({ faults: [{ kind: "request-lost" }] });
    const made = await world.run(world.start().make("cluster", "train", CLUSTER));
    expect(made).toMatchObject({ reasons: [], outputs: { status: "RUNNING" } });
  });

  test("and is over at once when the key is refused", async () => {
    await using world = await startWorld({
      faults: [{ kind: "status", status: 401, on: "GET /request/info/{request_id}" }],
    });
    const up = world.start();
    const made = await world.run(up.make("cluster", "train", CLUSTER));
    expect(made).toMatchObject({
      id: expect.stringMatching(/^c-/),
      outputs: { __pending: { requestIds: [expect.stringMatching(/^r-/)] } },
    });
    expect(made.reasons.join()).toContain("Check the API key");
    expect(await world.run(world.start().again(made))).toMatchObject({ kind: "update", kept: { reasons: [] } });
    expect(world.api.ledger().everBilled).toHaveLength(1);
  });
});
