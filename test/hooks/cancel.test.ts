import { describe, expect, test } from "vitest";
import type { Props } from "../engine/plugin.ts";
import { BOUGHT } from "./args.ts";
import { endsAfter, INFO, LIST, type Moment, POLL, stoppable } from "./ctrl-c.ts";
import { billed, converges, type Outcome, outcomeOf } from "./outcome.ts";
import type { World } from "./world.ts";

describe.for(BOUGHT)("Ctrl-C in an update of a $kind", ({ kind, args, at }) => {
  const PATCH = /^PATCH/;
  test.for<{ moment: Moment; isLost?: boolean; ends: Outcome["ends"]; says: RegExp }>([
    {
      moment: { when: "before", call: PATCH },
      ends: "init error",
      says: /cancelled.*takes effect is not known.*Run pulumi up to send it again/s,
    },
    { moment: { when: "after", call: PATCH }, ends: "init error", says: /takes effect is not known/ },
    { moment: { when: "after", call: INFO }, ends: "init error", says: /takes effect is not known/ },
    {
      moment: { when: "after", call: PATCH },
      isLost: true,
      ends: "init error",
      says: /no usable answer.*takes effect is not known/s,
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

  test("is mended also by a program that has gone back to the old value", async () => {
    const stage = await stoppable({ when: "after", call: PATCH });
    await using world = stage.world;
    const old = { ...args, name: "old", deletionProtection: true };
    const made = await world.run(stage.start().make(kind, "train", old));
    const updating = stage.start().again(made, { ...old, name: "new", deletionProtection: false });
    const { kept: stopped } = await world.run(updating);
    // By now the server is through with it.
    await world.clock.advance(60_000);
    const kept = await converges(world, { kind, name: "train", args: old }, stopped);
    const live = await world.run(world.start().get(kind, "train", kept.id));
    expect(live.outputs).toMatchObject({ name: "old", deletionProtection: true });
  });
});

describe.for(BOUGHT)("Ctrl-C in a delete of a $kind", ({ kind, args }) => {
  const DELETE = /^DELETE/;
  test.for<{ moment: Moment; says: RegExp; sent: number }>([
    { moment: { when: "before", call: INFO }, says: /Nothing was sent/, sent: 1 },
    {
      moment: { when: "before", call: DELETE },
      says: /accepted and goes on at the server.*Run the command again; pulumi refresh drops/s,
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
