import { describe, expect, test } from "vitest";
import { BOUGHT, VOLUME } from "./args.ts";
import { billed, converges, early, everBilled, on, outcomeOf, type Row } from "./outcome.ts";
import { startWorld } from "./world.ts";

const PATCH: Row[] = [
  { fault: { kind: "lost-answer" }, ends: "ready" },
  { fault: { kind: "acted-status" }, ends: "ready" },
  { fault: { kind: "acted-status", status: 408 }, ends: "ready" },
  { fault: { kind: "broken-json" }, ends: "ready" },
  { fault: { kind: "list-json" }, ends: "ready" },
  { fault: { kind: "empty" }, ends: "ready" },
  { fault: { kind: "huge-json" }, ends: "ready" },
  { fault: { kind: "slow", seconds: 20 }, ends: "ready" },
  { fault: { kind: "slow", seconds: 40 }, ends: "ready" },
  { fault: { kind: "reset", times: 4 }, ends: "ready" },
  { fault: { kind: "status", times: 4 }, ends: "ready" },
  { fault: { kind: "status", status: 408 }, ends: "ready" },
  { fault: { kind: "too-many", retryAfter: 20 }, ends: "ready" },
  { fault: { kind: "too-many", retryAfter: null, times: 8 }, ends: "ready" },
  { fault: { kind: "status", status: 400 }, ends: "error", says: /answered 400/ },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/ },
  { fault: { kind: "status", status: 402 }, ends: "error", says: /Top up the balance/ },
  { fault: { kind: "status", status: 403 }, ends: "error", says: /lacks this permission/ },
  { fault: { kind: "status", status: 404 }, ends: "error", says: /answered 404/ },
  { fault: { kind: "status", status: 409 }, ends: "error", says: /answered 409/ },
  { fault: { kind: "status", status: 422 }, ends: "error", says: /answered 422/ },
  { fault: { kind: "status", times: "always" }, ends: "init error", says: /503 after 5 attempts.*is not known/s },
  {
    fault: { kind: "lost-answer", times: "always" },
    ends: "init error",
    says: /no usable answer came after 5 attempts.*Run pulumi up to send it again/s,
  },
  // An edit has no request to ask about: one that never shows is told by the time limit alone.
  { fault: { kind: "failed" }, ends: "init error", says: /limit of 90 s.*change of name, deletionProtection/s },
  { fault: { kind: "stuck", seconds: 120 }, ends: "init error", says: /limit of 90 s.*pulumi up/s },
  { fault: { kind: "takes", seconds: 60 }, ends: "ready" },
  { fault: { kind: "unknown-status" }, ends: "ready" },
];

const LOOK: Row[] = [
  { fault: { kind: "status", times: 12 }, ends: "ready" },
  { fault: { kind: "empty", times: 12 }, ends: "ready" },
  { fault: { kind: "slow", seconds: 40 }, ends: "ready" },
  { fault: { kind: "status", times: "always" }, ends: "init error", says: /limit of 90 s/ },
  { fault: { kind: "status", status: 401 }, ends: "init error", says: /Check the API key/ },
];

const TABLE = BOUGHT.flatMap(({ kind, args, at }) =>
  [...on(`PATCH ${at}/edit/{id}`, PATCH), ...on(`GET ${at}/info/{id}`, LOOK)].map(
    ([title, row]) => [title, { kind, args, ...row }] as const,
  ),
);

describe("update", () => {
  test.for(TABLE)("with %s", async ([, { kind, args, fault, ends, says }]) => {
    await using world = await startWorld();
    const made = await world.run(world.start().make(kind, "train", args));
    world.api.addFault(fault);
    const wanted = { ...args, name: "new", deletionProtection: true };
    const updating = world.start().again(made, { ...wanted, timeouts: { update: 90 } });
    const first = await world.run(outcomeOf(updating.then(({ kept }) => kept)));
    expect(first).toMatchObject({ ends, ...(says && { words: expect.stringMatching(says) }) });
    expect(world.api.faultsFired()[fault.kind]).toBeGreaterThan(0);

    const state = "kept" in first ? first.kept : made;
    const kept = await converges(world, { kind, name: "train", args: wanted }, state);
    expect(kept.id).toBe(made.id);
    expect(billed(world)).toEqual([made.id]);
    expect(everBilled(world)).toEqual([made.id]);
    expect(early(world)).toEqual([]);
  });

  test("is done when the server refuses what an earlier run has changed already", async () => {
    await using world = await startWorld();
    const made = await world.run(world.start().make("storageVolume", "data", VOLUME));
    world.api.addFault({ kind: "lost-answer", times: "always", on: "PATCH /storage/edit/{id}" });
    const { kept } = await world.run(world.start().again(made, { sizeGb: 600 }));
    expect(kept).toMatchObject({ outputs: { sizeGb: null }, reasons: [expect.stringContaining("is not known")] });
    world.api.clearFaults();
    world.api.addFault({ kind: "status", status: 422, times: "always", on: "PATCH /storage/edit/{id}" });
    const next = await world.run(world.start().again(kept, { sizeGb: 600 }));
    expect(next.kept).toMatchObject({ reasons: [], outputs: { sizeGb: 600 } });
  });
});
