import { describe, expect, test } from "vitest";
import type { Fault } from "../emulator/index.ts";
import type { Props } from "../engine/plugin.ts";
import { BOUGHT, CLUSTER, SSH_KEY, VOLUME } from "./args.ts";
import { billed, converges, early, everBilled, type Outcome, outcomeOf } from "./outcome.ts";
import type { Kept, Process } from "./process.ts";
import { callOf } from "./wire.ts";
import { type Between, startWorld, type World } from "./world.ts";

/** The moment of a Ctrl-C: right before a request leaves, or right after its answer. */
interface Moment {
  readonly when: "before" | "after";
  readonly call: RegExp;
  /** The how-manieth such request. @default 1 */
  readonly nth?: number;
}

interface Stop {
  atMs?: number;
  press?: () => void;
  moment?: Moment;
}

/** Presses Ctrl-C at `stop.moment`. */
function pressing(stop: Stop): Between {
  let seen = 0;
  return async (request, send) => {
    const isIt = stop.moment?.call.test(callOf(request)) === true && ++seen === (stop.moment.nth ?? 1);
    if (isIt && stop.moment?.when === "before") stop.press?.();
    try {
      return await send(request);
    } finally {
      if (isIt && stop.moment?.when === "after") stop.press?.();
    }
  };
}

async function stoppable(
  moment: Moment | undefined,
  faults: readonly Fault[] = [],
): Promise<{ world: World; stop: Stop; start: () => Process }> {
  const stop: Stop = { ...(moment && { moment }) };
  const world = await startWorld({ operationSeconds: 20, faults }, pressing(stop));
  return {
    world,
    stop,
    start() {
      const process = world.start();
      stop.press = () => {
        stop.atMs ??= world.clock.now();
        process.cancel();
      };
      return process;
    },
  };
}

/** The seconds from Ctrl-C to the end of the operation. */
function endsAfter({ world, stop }: { world: World; stop: Stop }): number {
  return (world.clock.now() - (stop.atMs ?? Number.NaN)) / 1_000;
}

const POLL = /^GET \/request\/info/;
const INFO = /^GET \/(cluster|storage)\/info/;
const LIST = /^GET \/(cluster|storage)\/list/;
const POST = /^POST \/(cluster|storage)\/create/;

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
      ends: "error",
      bought: 1,
      says: /Cannot tell whether POST/,
    },
    {
      moment: { when: "after", call: LIST, nth: 4 },
      lost: "lost-answer",
      ends: "error",
      bought: 1,
      says: /Cannot tell whether POST/,
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

describe.for(BOUGHT)("Ctrl-C in an update of a $kind", ({ kind, args, at }) => {
  const PATCH = /^PATCH/;
  test.for<{ moment: Moment; isLost?: boolean; ends: Outcome["ends"]; says: RegExp }>([
    {
      moment: { when: "before", call: PATCH },
      ends: "init error",
      says: /cancelled.*was accepted and goes on.*Run pulumi up/s,
    },
    { moment: { when: "after", call: PATCH }, ends: "init error", says: /was accepted and goes on/ },
    { moment: { when: "after", call: INFO }, ends: "init error", says: /was accepted and goes on/ },
    {
      moment: { when: "after", call: PATCH },
      isLost: true,
      ends: "error",
      says: /no usable answer/,
    },
  ])("$moment.when $moment.call lost: $isLost: $ends", async ({ moment, ends, says, isLost = false }) => {
    const stage = await stoppable(undefined);
    await using world = stage.world;
    const made = await world.run(stage.start().make(kind, "train", args));
    if (isLost) world.api.addFault({ kind: "lost-answer", on: `PATCH ${at}/edit/{id}` });
    stage.stop.moment = moment;
    const wanted = { ...args, name: "new" };
    const updating = stage.start().again(made, wanted);
    const first = await world.run(outcomeOf(updating.then(({ kept }) => kept)));
    expect(endsAfter(stage)).toBeLessThanOrEqual(1);
    expect(first).toMatchObject({ ends, words: expect.stringMatching(says) });
    const kept = await converges(world, { kind, name: "train", args: wanted }, "kept" in first ? first.kept : made);
    expect(billed(world)).toEqual([kept.id]);
  });
});

describe.for(BOUGHT)("Ctrl-C in a delete of a $kind", ({ kind, args }) => {
  const DELETE = /^DELETE/;
  test.for<{ moment: Moment; says: RegExp; sent: number }>([
    { moment: { when: "before", call: INFO }, says: /Nothing was sent/, sent: 1 },
    {
      moment: { when: "before", call: DELETE },
      says: /accepted and goes on at the server.*run pulumi destroy again/s,
      sent: 1,
    },
    { moment: { when: "after", call: POLL }, says: /accepted and goes on at the server/, sent: 1 },
    { moment: { when: "before", call: LIST }, says: /accepted and goes on at the server/, sent: 1 },
  ])("$moment.when $moment.call converges with $sent DELETE", async ({ moment, says, sent }) => {
    const stage = await stoppable(undefined);
    await using world = stage.world;
    const made = await world.run(stage.start().make(kind, "train", args));
    stage.stop.moment = moment;
    await expect(world.run(stage.start().destroy(made))).rejects.toThrow(says);
    expect(endsAfter(stage)).toBeLessThanOrEqual(1);
    await world.run(world.start().destroy(made));
    expect(billed(world)).toEqual([]);
    expect(world.entries().filter(({ method }) => method === "DELETE")).toHaveLength(sent);
  });
});

describe("Ctrl-C in an attachment", () => {
  const ends = (world: World): Props => ({
    clusterId: world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 }),
    storageId: world.api.addVolume(),
  });
  const ATTACH = /attach$/;
  const DETACH = /detach$/;
  const sent = (world: World, call: RegExp): number => world.entries().filter(({ path }) => call.test(path)).length;

  test.for<{ moment: Moment; ends: Outcome["ends"]; says: RegExp }>([
    { moment: { when: "before", call: INFO }, ends: "error", says: /cancelled before anything was sent/ },
    { moment: { when: "before", call: ATTACH }, ends: "init error", says: /goes on at the server \(request r-/ },
    { moment: { when: "after", call: POLL }, ends: "init error", says: /Run pulumi up to go on waiting/ },
  ])("attaching, $moment.when $moment.call: $ends", async ({ moment, ends: how, says }) => {
    const stage = await stoppable(moment);
    await using world = stage.world;
    const args = ends(world);
    const first = await world.run(outcomeOf(stage.start().make("storageAttachment", "link", args)));
    expect(endsAfter(stage)).toBeLessThanOrEqual(1);
    expect(first).toMatchObject({ ends: how, words: expect.stringMatching(says) });
    const state = "kept" in first ? first.kept : undefined;
    await converges(world, { kind: "storageAttachment", name: "link", args }, state);
    expect(sent(world, /\/attach$/)).toBe(1);
  });

  test.for<{ moment: Moment }>([
    { moment: { when: "before", call: INFO } },
    { moment: { when: "before", call: DETACH } },
    { moment: { when: "after", call: POLL } },
  ])("detaching, $moment.when $moment.call", async ({ moment }) => {
    const stage = await stoppable(undefined);
    await using world = stage.world;
    const made = await world.run(stage.start().make("storageAttachment", "link", ends(world)));
    stage.stop.moment = moment;
    await expect(world.run(stage.start().destroy(made))).rejects.toThrow(/cancelled/);
    expect(endsAfter(stage)).toBeLessThanOrEqual(1);
    await world.run(world.start().destroy(made));
    expect(await world.run(world.start().refresh(made))).toBeUndefined();
    expect(sent(world, DETACH)).toBe(1);
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
