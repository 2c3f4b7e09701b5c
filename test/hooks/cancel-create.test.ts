import { describe, expect, test } from "vitest";
import { BOUGHT, CLUSTER, SSH_KEY, VOLUME } from "./args.ts";
import { endsAfter, INFO, LIST, type Moment, POLL, POST, stoppable } from "./ctrl-c.ts";
import { billed, converges, early, everBilled, type Outcome, outcomeOf } from "./outcome.ts";
import type { Kept } from "./process.ts";
import { startWorld } from "./world.ts";

describe.for(BOUGHT)("Ctrl-C in a create of a $kind", ({ kind, args, at }) => {
  test.for<{ moment: Moment; lost?: "reset" | "lost-answer"; ends: Outcome["ends"]; bought: number; says: RegExp }>([
    { moment: { when: "before", call: LIST }, ends: "error", bought: 0, says: /cancelled before anything was sent/ },
    {
      moment: { when: "after", call: LIST, nth: 2 },
      ends: "error",
      bought: 0,
      says: /cancelled before anything was sent/,
    },
    {
      moment: { when: "before", call: POST },
      ends: "init error",
      bought: 1,
      says: /cancelled.*goes on at the server \(request r-/s,
    },
    {
      moment: { when: "after", call: POST },
      ends: "init error",
      bought: 1,
      says: /cancelled.*goes on at the server \(request r-/s,
    },
    { moment: { when: "before", call: POLL }, ends: "init error", bought: 1, says: /Run pulumi up/ },
    { moment: { when: "after", call: POLL, nth: 2 }, ends: "init error", bought: 1, says: /Run pulumi up/ },
    { moment: { when: "before", call: INFO }, ends: "init error", bought: 1, says: /Run pulumi up/ },
    {
      moment: { when: "after", call: POST },
      lost: "reset",
      ends: "error",
      bought: 0,
      says: /Cannot tell whether POST/,
    },
    {
      moment: { when: "after", call: LIST, nth: 6 },
      lost: "reset",
      ends: "error",
      bought: 0,
      says: /Cannot tell whether POST/,
    },
    {
      moment: { when: "before", call: POST, nth: 2 },
      lost: "reset",
      ends: "init error",
      bought: 1,
      says: /goes on at the server/,
    },
    {
      moment: { when: "after", call: POST },
      lost: "lost-answer",
      ends: "init error",
      bought: 1,
      says: /answer to its create was lost .* exists and is billed/,
    },
    {
      moment: { when: "after", call: LIST, nth: 4 },
      lost: "lost-answer",
      ends: "init error",
      bought: 1,
      says: /answer to its create was lost .* exists and is billed/,
    },
  ])("$moment.when $moment.call $moment.nth, create: $lost", async ({ moment, ends, bought, lost, says }) => {
    const stage = await stoppable(moment, lost && [{ kind: lost, on: `POST ${at}/create` }]);
    await using world = stage.world;
    const first = await world.run(outcomeOf(stage.start().make(kind, "train", args)));
    expect(endsAfter(stage)).toBeLessThanOrEqual(1);
    expect(first).toMatchObject({ ends, words: expect.stringMatching(says) });
    expect(everBilled(world)).toHaveLength(bought);
    const kept = await converges(world, { kind, name: "train", args }, "kept" in first ? first.kept : undefined);
    expect(everBilled(world)).toEqual([kept.id]);
    expect(early(world)).toEqual([]);
  });

  test("ends waits that are asleep at once, and says what still runs, since when, and what to type", async () => {
    const stage = await stoppable(undefined);
    await using world = stage.world;
    const making = stage.start().make(kind, "train", args);
    await world.clock.advance(7_000);
    stage.stop.press?.();
    const made = await world.run(making);
    expect(endsAfter(stage)).toBe(0);
    const [reason] = made.reasons;
    expect(reason).toMatch(/^Cannot wait any longer: it was cancelled/);
    expect(reason).toContain(`(${made.id})`);
    expect(reason).toContain("since 2026-01-01T00:00:00.000Z");
    expect(reason).toContain("Run pulumi up to go on waiting");
  });
});

test("Ctrl-C before anything lets a hook send nothing", async () => {
  await using world = await startWorld();
  const up = world.start();
  up.cancel();
  for (const [kind, args] of [
    ["cluster", CLUSTER],
    ["storageVolume", VOLUME],
    ["sshKey", SSH_KEY],
  ] as const) {
    await expect(world.run(up.make(kind, "train", args))).rejects.toThrow(/cancelled before anything was sent/);
  }
  expect(world.entries().filter(({ method }) => method !== "GET")).toEqual([]);
});

test("Ctrl-C ends 40 creates within a second, and the next run finds them all", async () => {
  const stage = await stoppable(undefined);
  await using world = stage.world;
  const up = stage.start();
  const names = Array.from({ length: 40 }, (_, index) => `train-${index}`);
  const making = Promise.all(names.map((name) => outcomeOf(up.make("cluster", name, CLUSTER))));
  await world.clock.advance(6_000);
  stage.stop.press?.();
  const first = await world.run(making);
  expect(endsAfter(stage)).toBeLessThanOrEqual(1);
  const kept: Kept[] = first.flatMap((one) => ("kept" in one ? [one.kept] : []));
  expect(kept).toHaveLength(40);
  const next = world.start();
  const all = await world.run(Promise.all(kept.map((one) => next.again(one))));
  expect(all.flatMap((one) => one.kept.reasons)).toEqual([]);
  expect(billed(world)).toHaveLength(40);
  expect(everBilled(world)).toHaveLength(40);
});
