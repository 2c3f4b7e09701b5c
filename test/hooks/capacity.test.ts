import { describe, expect, test } from "vitest";
import type { Fault } from "../emulator/index.ts";
import { CLUSTER, VOLUME } from "./args.ts";
import { stoppable } from "./ctrl-c.ts";
import { billed, converges, everBilled, outcomeOf } from "./outcome.ts";
import { startWorld, type World } from "./world.ts";

const POST = "POST /cluster/create";
const ARGS = { ...CLUSTER, capacityTimeout: "1h" };

/** The seconds since the first create at which a create was sent. */
function sentAt(world: World): number[] {
  const all = world.entries().filter(({ method, path }) => `${method} ${path}` === POST);
  return all.map(({ atMs }) => (atMs - (all[0]?.atMs ?? 0)) / 1_000);
}

function pauses(world: World): number[] {
  return sentAt(world).flatMap((atS, index, all) => (index === 0 ? [] : [atS - (all[index - 1] ?? 0)]));
}

describe.for<{ how: string; fault: Fault }>([
  { how: "is refused with 409", fault: { kind: "no-capacity", status: 409 } },
  { how: "is refused with 400", fault: { kind: "no-capacity", status: 400 } },
  { how: "is answered with 503", fault: { kind: "no-capacity", status: 503 } },
  { how: "ends FAILED and leaves nothing", fault: { kind: "no-capacity" } },
  { how: "ends FAILED and leaves a cluster", fault: { kind: "no-capacity", keepObject: true } },
])("a create that for want of capacity $how", ({ fault }) => {
  const lacking = (forSeconds: number): Fault => ({ ...fault, on: POST, forSeconds });

  test("is tried until there is some, and one cluster is bought", async () => {
    await using world = await startWorld({ faults: [lacking(600)] });
    const making = world.start().make("cluster", "train", ARGS);
    expect(await world.seconds(making)).toBeLessThanOrEqual(600 + 240);
    const made = await making;
    expect(made).toMatchObject({ reasons: [], outputs: { status: "RUNNING", capacityTimeout: "1h" } });
    expect(billed(world)).toEqual([made.id]);
    expect(pauses(world).length).toBeGreaterThan(4);
    expect(Math.min(...pauses(world))).toBeGreaterThanOrEqual(30);
    expect(Math.max(...pauses(world))).toBeLessThanOrEqual(210);
    expect(Math.max(...pauses(world))).toBeGreaterThan(100);
    expect(world.lines.filter(({ message }) => message.startsWith("the API has no capacity ("))).toHaveLength(1);
    expect(world.lines.map(({ message }) => message).join("\n")).toMatch(
      /no capacity, tried \d+ times, trying until 2026-/,
    );
    expect(await world.run(world.start().again(made))).toMatchObject({ kind: "same" });
  });

  test("is given up when the time is over, with nothing bought", async () => {
    await using world = await startWorld({ faults: [lacking(7_200)] });
    const making = outcomeOf(world.start().make("cluster", "train", { ...CLUSTER, capacityTimeout: "10m" }));
    expect(await world.seconds(making)).toBeGreaterThan(480);
    expect(sentAt(world).at(-1)).toBeLessThanOrEqual(600);
    expect(await making).toMatchObject({
      ends: "error",
      words: expect.stringMatching(
        /^Cannot create cluster "train-\w+": the API has no capacity for it: .*Nothing is billed. It was tried \d+ times in \d+ min/,
      ),
    });
    expect(billed(world)).toEqual([]);
    await converges(world, { kind: "cluster", name: "train", args: ARGS }, undefined);
    expect(billed(world)).toHaveLength(1);
  });

  test("is an error of its own where the program does not wait, and the next up buys one", async () => {
    await using world = await startWorld({ faults: [{ ...fault, on: POST, times: 2 }] });
    const first = await world.run(outcomeOf(world.start().make("cluster", "train", CLUSTER)));
    const isThere = fault.kind === "no-capacity" && fault.keepObject === true;
    expect(first).toMatchObject({
      ends: isThere ? "init error" : "error",
      words: expect.stringMatching(
        isThere
          ? /is still there and may be billed/
          : /later. With capacityTimeout, such as "2h", it waits for capacity$/,
      ),
    });
    await converges(world, { kind: "cluster", name: "train", args: CLUSTER }, "kept" in first ? first.kept : undefined);
    expect(billed(world)).toHaveLength(1);
  });

  test("can be stopped at any time, and the next up goes on: none is lost, none bought twice", async () => {
    const stage = await stoppable(undefined, [lacking(900)]);
    await using world = stage.world;
    for (const afterMs of [1_000, 12_000, 31_000, 52_000, 100_000]) {
      const up = stage.start();
      const names = ["one", "two", "three", "four", "five"];
      const making = Promise.all(names.map((name) => outcomeOf(up.make("cluster", name, ARGS))));
      await world.clock.advance(afterMs);
      const sinceMs = world.clock.now();
      up.cancel();
      const all = await world.run(making);
      expect(world.clock.now() - sinceMs).toBeLessThanOrEqual(30_000);
      // What could not be taken away again lies in the state.
      const kept = all.flatMap((one) => ("kept" in one ? [one.kept] : []));
      await world.run(Promise.all(kept.map((one) => world.start().destroy(one))));
      for (const one of all) expect("words" in one && one.words).toMatch(/run pulumi up|Run pulumi up|Run the command/);
    }
    world.api.clearFaults();
    const up = world.start();
    const names = ["one", "two", "three", "four", "five"];
    const made = await world.run(Promise.all(names.map((name) => up.make("cluster", name, ARGS))));
    expect(made.flatMap(({ reasons }) => reasons)).toEqual([]);
    expect(billed(world).sort()).toEqual(made.map(({ id }) => id).sort());
  });
});

test("a wait for capacity says that it was stopped, and that nothing is billed", async () => {
  await using world = await startWorld({ faults: [{ kind: "no-capacity", status: 409, forSeconds: 900, on: POST }] });
  const up = world.start();
  const making = up.make("cluster", "train", ARGS);
  await world.clock.advance(20_000);
  up.cancel();
  await expect(world.run(making)).rejects.toThrow(
    /^Cannot create cluster "train-\w+": the API has no capacity for it: No capacity .* Nothing is billed. The wait for it was cancelled. Run pulumi up to go on/,
  );
  expect(everBilled(world)).toEqual([]);
});

test("a wait that was stopped while the API had accepted a try goes on with the ups that follow", async () => {
  const faults: Fault[] = [{ kind: "no-capacity", forSeconds: 300, on: POST }];
  await using world = await startWorld({ operationSeconds: 20, faults });
  const up = world.start();
  const making = up.make("cluster", "train", ARGS);
  await world.clock.advance(10_000);
  up.cancel();
  let kept = await world.run(making);
  expect(kept.reasons.join()).toMatch(/goes on at the server/);
  const steps: string[] = [];
  while (steps.at(-1) !== "same") {
    const step = await world.run(world.start().again(kept, ARGS));
    steps.push(step.kind);
    kept = step.kept;
  }
  // The request is waited for, and has failed; so it is made anew, and that waits.
  expect(steps).toEqual(["update", "replace", "same"]);
  expect(billed(world)).toEqual([kept.id]);
});

test.for([55, 300])("a wait for capacity asks no earlier than Retry-After allows: %i s", async (seconds) => {
  const refusal = { status: 409, body: { message: "No capacity" }, headers: { "retry-after": String(seconds) } };
  await using world = await startWorld({ faults: [{ kind: "status", ...refusal, times: 2, on: POST }] });
  await world.run(world.start().make("cluster", "train", ARGS));
  expect(pauses(world)).toHaveLength(2);
  expect(Math.min(...pauses(world))).toBeGreaterThanOrEqual(seconds);
});

test("a wait for capacity that a first try, or Retry-After, has used up says so, and not to set what is set", async () => {
  const refusal = { status: 409, body: { message: "No capacity" }, headers: { "retry-after": "300" } };
  await using world = await startWorld({ faults: [{ kind: "status", ...refusal, on: POST }] });
  const making = outcomeOf(world.start().make("cluster", "train", { ...CLUSTER, capacityTimeout: "4m" }));
  expect(await world.run(making)).toMatchObject({
    ends: "error",
    words: expect.stringMatching(/Nothing is billed. It was tried once in 0 min. Run pulumi up to go on trying, or/),
  });
});

test("a wait for capacity outlives an API that does not answer for a while", async () => {
  await using world = await startWorld({ faults: [{ kind: "no-capacity", status: 409, forSeconds: 300, on: POST }] });
  const making = world.start().make("cluster", "train", ARGS);
  await world.clock.advance(20_000);
  world.api.addFault({ kind: "status", forSeconds: 100, on: "GET /cluster/list" });
  const made = await world.run(making);
  expect(made.reasons).toEqual([]);
  expect(everBilled(world)).toEqual([made.id]);
});

test("a wait for capacity is ended by a key that is refused", async () => {
  await using world = await startWorld({ faults: [{ kind: "no-capacity", status: 409, forSeconds: 300, on: POST }] });
  const making = world.start().make("cluster", "train", ARGS);
  await world.clock.advance(20_000);
  world.api.addFault({ kind: "status", status: 401, on: "GET /cluster/list" });
  await expect(world.run(making)).rejects.toThrow(/^Cannot GET \/cluster\/list: the API answered 401/);
});

test("a wait for capacity that is stopped in the look of its second try says what it waits for", async () => {
  const moment = { when: "before", call: /GET \/cluster\/list/, nth: 3 } as const;
  const stage = await stoppable(moment, [{ kind: "no-capacity", status: 409, times: "always", on: POST }]);
  await using world = stage.world;
  await expect(world.run(stage.start().make("cluster", "train", ARGS))).rejects.toThrow(
    /the API has no capacity .* Nothing is billed. The wait for it was cancelled. Run pulumi up to go on/,
  );
});

test("no words make a lost answer a refusal: what the server did all the same is found", async () => {
  const body = { message: "No capacity" };
  await using world = await startWorld({ faults: [{ kind: "acted-status", status: 503, body, on: POST }] });
  const made = await world.run(world.start().make("cluster", "train", CLUSTER));
  expect([made.reasons, everBilled(world)]).toEqual([[], [made.id]]);
});

test("a wait for capacity destroys nothing that runs, whatever became of the request", async () => {
  const faults: Fault[] = [{ kind: "no-capacity", keepObject: true, on: POST }];
  await using world = await startWorld({ faults }, async (request, send) => {
    const answer = await send(request);
    const isInfo = request.url.includes("/cluster/info/") && typeof answer.body === "string";
    return isInfo ? { ...answer, body: String(answer.body).replaceAll("FAILED", "RUNNING") } : answer;
  });
  const made = await world.run(world.start().make("cluster", "train", ARGS));
  expect(made.reasons.join()).toMatch(/is still there and may be billed/);
  expect(world.requests().filter((one) => one.startsWith("DELETE"))).toEqual([]);
});

test("a wait for capacity finds what a lost try has bought, and takes it over", async () => {
  const faults: Fault[] = [
    { kind: "no-capacity", status: 409, on: POST, times: 2 },
    { kind: "lost-answer", on: POST },
  ];
  await using world = await startWorld({ faults });
  const made = await world.run(world.start().make("cluster", "train", ARGS));
  expect(made.reasons).toEqual([]);
  expect(everBilled(world)).toEqual([made.id]);
  expect(sentAt(world)).toHaveLength(3);
});

test("a wait for capacity leaves a protected cluster alone, and says what to do", async () => {
  await using world = await startWorld({ faults: [{ kind: "no-capacity", keepObject: true, on: POST }] });
  const args = { ...ARGS, deletionProtection: true };
  const made = await world.run(world.start().make("cluster", "train", args));
  expect(made.reasons.join()).toMatch(/is still there.*switch its deletion protection off/);
  expect(billed(world)).toEqual([made.id]);
  expect(sentAt(world)).toHaveLength(1);
});

test("the time limit of a create grows by capacityTimeout, unless the program sets one, which must be longer", async () => {
  await using world = await startWorld({ faults: [{ kind: "no-capacity", status: 409, forSeconds: 3_900, on: POST }] });
  const args = { ...CLUSTER, capacityTimeout: "70m" };
  const failuresOf = async (create: number): Promise<readonly unknown[]> =>
    (await world.start().check("cluster", "train", { ...args, timeouts: { create } })).failures;
  expect(await failuresOf(4_200)).toEqual([
    {
      property: "capacityTimeout",
      reason: expect.stringMatching(/^Cannot use capacityTimeout "70m": .* after 4200 s/),
    },
  ]);
  expect(await failuresOf(4_201)).toEqual([]);
  const making = world.start().make("cluster", "train", args);
  expect(await world.seconds(making)).toBeGreaterThan(3_900);
  expect((await making).reasons).toEqual([]);
  world.api.addFault({ kind: "no-capacity", status: 409, times: "always", on: POST });
  const short = { ...CLUSTER, capacityTimeout: "4m", timeouts: { create: 241 } };
  const limited = outcomeOf(world.start().make("cluster", "other", short));
  expect(await world.seconds(limited)).toBeLessThanOrEqual(241);
  expect(await limited).toMatchObject({ ends: "error", words: expect.stringContaining("no capacity") });
});

test("capacityTimeout is a duration of a minute or more; a change of it replaces and sends nothing", async () => {
  await using world = await startWorld();
  const up = world.start();
  for (const capacityTimeout of ["2 hours", "59s", "", 120, "-1h"]) {
    const { failures } = await up.check("cluster", "train", { ...CLUSTER, capacityTimeout });
    expect(failures).toEqual([
      {
        property: "capacityTimeout",
        reason: expect.stringMatching(/expected a duration of 60 s or more, such as "2h"/),
      },
    ]);
  }
  const made = await world.run(up.make("cluster", "train", CLUSTER));
  world.requests();
  const changed = await world.run(up.again(made, { ...CLUSTER, capacityTimeout: "1h30m" }));
  expect(changed).toMatchObject({ kind: "update", kept: { id: made.id, outputs: { capacityTimeout: "1h30m" } } });
  expect(world.requests()).toEqual([]);
});

test("a volume that the API has no capacity for is the same error, without a wait", async () => {
  await using world = await startWorld({ faults: [{ kind: "no-capacity", on: "POST /storage/create" }] });
  await expect(world.run(world.start().make("storageVolume", "data", VOLUME))).rejects.toThrow(
    /^Cannot create storage volume "data-\w+": the API has no capacity for it: .* Run pulumi up again later$/,
  );
});
