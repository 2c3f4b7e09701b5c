import { describe, expect, test } from "vitest";
import { hooksOf } from "../../provider/hooks/all.ts";
import { createHost } from "../../provider/hooks/host.ts";
import type { Fault } from "../emulator/index.ts";
import { BOUGHT, CLUSTER, VOLUME } from "./args.ts";
import { billed } from "./outcome.ts";
import { startWorld, type World } from "./world.ts";

const said = (world: World): string[] =>
  world.lines.filter(({ severity }) => severity === "warning").map(({ message }) => message);

describe.for(BOUGHT)("the seed of a stack that has bought a $kind", ({ kind, args, at }) => {
  test("is not forgotten while that exists and nobody destroys it", async () => {
    await using world = await startWorld({ operationSeconds: 60 });
    // The state of the killed run holds nothing of it.
    const { id } = await world.run(world.start().make(kind, "train", args));
    const forgetting = world.run(world.start().forget());
    await expect(forgetting).rejects.toThrow(
      /^Cannot forget this stack's seed: .* \("train-\w+"\) still exists and is/,
    );
    await expect(forgetting).rejects.toThrow(id);
    await expect(forgetting).rejects.toThrow(/run pulumi up, which takes it over, then pulumi destroy/);
    const found = await world.run(world.start().make(kind, "train", args));
    expect(found.id).toBe(id);
    const end = world.start();
    const destroying = end.destroy(found);
    await world.clock.advance(20_000);
    expect(billed(world)).toEqual([id]);
    await world.run(end.forget());
    await world.run(destroying);
    await world.run(world.start().forget());
    expect(said(world)).toEqual([]);
  });

  test("is forgotten with a warning where the program lets something outlive the stack", async () => {
    await using world = await startWorld();
    const { id } = await world.run(world.start().make(kind, "train", args));
    await world.run(world.start().forget({ mayLeave: true }));
    expect(said(world)).toEqual([expect.stringMatching(new RegExp(`${id} .* this stack forgets it.* retainOnDelete`))]);
  });

  test.for<{ why: string; faults?: Fault[]; without?: string[]; key?: string; says: RegExp }>([
    { why: "there is no key", key: "", says: /no API key is set/ },
    { why: "the key is refused", key: "other", says: /Check the API key/ },
    {
      why: "the API does not answer",
      faults: [{ kind: "slow", seconds: 300, times: "always" }],
      says: /10 s has passed/,
    },
    { why: "the API is down", faults: [{ kind: "status", times: "always" }], says: /answered 503|10 s has passed/ },
    { why: "it has no lists", without: [`GET ${at}/list`], says: /no lists/ },
  ])("is forgotten with a warning, within 10 s, when $why", async ({ faults = [], without = [], key, says }) => {
    await using world = await startWorld({ without });
    await world.run(world.start().make(kind, "train", { ...args, name: "of its own" }));
    for (const fault of faults) world.api.addFault(fault);
    const end = world.start(key === undefined ? {} : { env: { TENSORPOOL_KEY: key } });
    const forgetting = end.forget();
    expect(await world.seconds(forgetting)).toBeLessThanOrEqual(10);
    await forgetting;
    expect(said(world)[0]).toMatch(
      /^Cannot tell whether anything that a killed run of this stack has bought still exists/,
    );
    expect(said(world)[0]).toMatch(says);
  });
});

test("the seed is not forgotten when Ctrl-C ends the look, which the next destroy makes good", async () => {
  await using world = await startWorld({ faults: [{ kind: "slow", seconds: 5, on: "GET /cluster/list" }] });
  const end = world.start();
  const forgetting = end.forget();
  await world.clock.advance(1_000);
  end.cancel();
  await expect(world.run(forgetting)).rejects.toThrow(
    "Cannot forget this stack's seed: it was cancelled. Run pulumi destroy again",
  );
  await world.run(world.start().forget());
  expect(said(world)).toEqual([]);
});

test("the seed is forgotten beside what other stacks and the program itself have named", async () => {
  await using world = await startWorld();
  world.api.addCluster({ name: "train-0123456789abcd" });
  await world.run(world.start().make("cluster", "train", { ...CLUSTER, name: "nodes" }));
  await world.run(world.start().make("storageVolume", "data", { ...VOLUME, name: "data" }));
  await world.run(world.start().forget());
  expect(said(world)).toEqual([]);
});

test("the seed is not forgotten beside two, and names both", async () => {
  await using world = await startWorld();
  const up = world.start();
  await world.run(Promise.all([up.make("cluster", "train", CLUSTER), up.make("storageVolume", "data", VOLUME)]));
  await expect(world.run(world.start().forget())).rejects.toThrow(
    /cluster c-\w+ \("train-\w+"\), storage volume s-\w+ \("data-\w+"\) still exist and are billed/,
  );
});

test("the seed keeps its value for ever, and changes only with whether something may outlive the stack", async () => {
  const { seed } = hooksOf(createHost());
  const { id, outs } = await seed.create({});
  expect(outs).toEqual({ value: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(await seed.diff?.(id, outs, {})).toEqual({ changes: false });
  expect(await seed.diff?.(id, outs, { mayLeave: true })).toEqual({ changes: true });
  const updated = await seed.update?.(id, outs, { mayLeave: true });
  expect(updated).toEqual({ outs: { ...outs, mayLeave: true } });
  expect(await seed.diff?.(id, updated?.outs, {})).toEqual({ changes: true });
  expect(await seed.update?.(id, updated?.outs, {})).toEqual({ outs });
});
