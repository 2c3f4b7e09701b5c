import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../emulator/index.ts";
import { BOUGHT } from "./args.ts";
import { billed, early, everBilled } from "./outcome.ts";
import type { Kept, Kind } from "./process.ts";
import { startWorld, type World } from "./world.ts";

const PENDING = { __pending: { requestIds: [expect.stringMatching(/^r-/)] } };

/** A create that was interrupted 20 s after it began. */
async function interrupted(world: World, kind: Kind, args: Kept["args"]): Promise<Kept> {
  const up = world.start();
  const making = up.make(kind, "train", args);
  await world.clock.advance(20_000);
  up.cancel();
  const made = await world.run(making);
  expect(made).toMatchObject({ id: everBilled(world)[0], outputs: PENDING });
  return made;
}

const LONG: EmulatorOptions = { operationSeconds: 60 };

describe.for(BOUGHT)("a pending create of a $kind", ({ kind, args, at, ready }) => {
  const create = `POST ${at}/create`;
  const sent = (world: World, call: string): number =>
    world.entries().filter(({ method, path }) => `${method} ${path}`.startsWith(call)).length;

  test("goes on at the next up, with the same request and no second create", async () => {
    await using world = await startWorld(LONG);
    const made = await interrupted(world, kind, args);
    const { kept } = await world.run(world.start().again(made));
    expect(kept).toMatchObject({
      id: made.id,
      reasons: [],
      outputs: { status: ready, requestId: made.outputs["requestId"] },
    });
    expect(kept.outputs).not.toHaveProperty("__pending");
    expect(sent(world, create)).toBe(1);
    expect(early(world)).toEqual([]);
  });

  test("goes on at the next up also when the program has changed meanwhile", async () => {
    await using world = await startWorld(LONG);
    const made = await interrupted(world, kind, args);
    const { kept } = await world.run(world.start().again(made, { ...args, name: "new" }));
    expect(kept).toMatchObject({ id: made.id, reasons: [], outputs: { name: "new" } });
    expect(sent(world, create)).toBe(1);
  });

  test("survives any number of interruptions", async () => {
    await using world = await startWorld({ operationSeconds: 90 });
    let made = await interrupted(world, kind, args);
    for (const _ of [1, 2, 3]) {
      const up = world.start();
      const going = up.again(made);
      await world.clock.advance(15_000);
      up.cancel();
      const { kept } = await world.run(going);
      expect(kept).toMatchObject({ id: made.id, outputs: PENDING });
      made = kept;
    }
    expect((await world.run(world.start().again(made))).kept.reasons).toEqual([]);
    expect(sent(world, create)).toBe(1);
    expect(early(world)).toEqual([]);
  });

  test("forgets nothing in a refresh, and goes on after it", async () => {
    await using world = await startWorld(LONG);
    const made = await interrupted(world, kind, args);
    const refreshed = await world.run(world.start().refresh(made));
    expect(refreshed).toMatchObject({ id: made.id, outputs: PENDING });
    if (refreshed === undefined) return expect.unreachable();
    // The engine has forgotten the init error: the outputs alone start the update.
    const { kind: step, kept } = await world.run(world.start().again(refreshed));
    expect(step).toBe("update");
    expect(kept).toMatchObject({ reasons: [], outputs: { status: ready } });
    expect(sent(world, create)).toBe(1);
  });

  test("forgets nothing in a refresh while the server cannot be asked", async () => {
    await using world = await startWorld(LONG);
    const made = await interrupted(world, kind, args);
    world.api.addFault({ kind: "status", on: "GET /request/info/{id}", times: "always" });
    world.api.addFault({ kind: "status", status: 404, on: `GET ${at}/info/{id}`, times: "always" });
    const refreshed = await world.run(world.start().refresh(made));
    expect(refreshed).toMatchObject({ id: made.id, outputs: PENDING });
  });

  test("that is through is ready after a refresh, with nothing to do", async () => {
    await using world = await startWorld(LONG);
    const made = await interrupted(world, kind, args);
    await world.clock.advance(60_000);
    const refreshed = await world.run(world.start().refresh(made));
    expect(refreshed).toMatchObject({ id: made.id, outputs: { status: ready } });
    expect(refreshed?.outputs).not.toHaveProperty("__pending");
    if (refreshed === undefined) return expect.unreachable();
    expect(await world.run(world.start().again(refreshed))).toMatchObject({ kind: "same" });
  });

  test("that has failed is gone after a refresh", async () => {
    await using world = await startWorld({ ...LONG, faults: [{ kind: "failed", on: create }] });
    const made = await interrupted(world, kind, args);
    await world.clock.advance(60_000);
    expect(await world.run(world.start().refresh(made))).toBeUndefined();
  });

  test("that has failed and left an object is kept as FAILED, and replaced", async () => {
    await using world = await startWorld({ ...LONG, faults: [{ kind: "failed", keepObject: true, on: create }] });
    const made = await interrupted(world, kind, args);
    await world.clock.advance(60_000);
    const refreshed = await world.run(world.start().refresh(made));
    expect(refreshed).toMatchObject({ id: made.id, outputs: { status: "FAILED" } });
    if (refreshed === undefined) return expect.unreachable();
    const { kind: step, kept } = await world.run(world.start().again(refreshed));
    expect(step).toBe("replace");
    expect(billed(world)).toEqual([kept.id]);
  });

  test("that has failed is said at the next up, and created anew after that", async () => {
    await using world = await startWorld({ ...LONG, faults: [{ kind: "failed", message: "Node died", on: create }] });
    const made = await interrupted(world, kind, args);
    const failed = await world.run(world.start().again(made));
    expect(failed.kept.reasons.join()).toMatch(/Node died.*not exist and is not billed.*create it anew/s);
    const { kind: step, kept } = await world.run(world.start().again(failed.kept));
    expect(step).toBe("replace");
    expect(billed(world)).toEqual([kept.id]);
  });

  test("that COMPLETED and is not shown is kept by a refresh, with a warning", async () => {
    await using world = await startWorld({
      ...LONG,
      faults: [{ kind: "completed-but-404", seconds: 600, on: create }],
    });
    const made = await interrupted(world, kind, args);
    await world.clock.advance(60_000);
    expect(await world.run(world.start().refresh(made))).toMatchObject({ id: made.id });
    expect(world.lines.filter(({ severity }) => severity === "warning")).toMatchObject([
      { message: expect.stringContaining("COMPLETED but does not show it") },
    ]);
  });

  test("is waited out by a destroy, and then destroyed", async () => {
    await using world = await startWorld(LONG);
    const made = await interrupted(world, kind, args);
    await world.run(world.start().destroy(made));
    expect(billed(world)).toEqual([]);
    expect(sent(world, `DELETE ${at}/`)).toBe(1);
    expect(early(world)).toEqual([]);
  });

  test("that has failed leaves nothing to destroy", async () => {
    await using world = await startWorld({ ...LONG, faults: [{ kind: "failed", on: create }] });
    const made = await interrupted(world, kind, args);
    await world.run(world.start().destroy(made));
    expect(sent(world, "DELETE")).toBe(0);
  });

  test("without a known id is destroyed too", async () => {
    await using world = await startWorld({ ...LONG, omit: ["cluster_id", "storage_id", "object_id"] });
    world.api.addFault({ kind: "unlisted", seconds: 30, on: create });
    const up = world.start();
    const making = up.make(kind, "train", args);
    await world.clock.advance(20_000);
    up.cancel();
    const made = await world.run(making);
    expect(made.id).toMatch(/^request:/);
    await world.run(world.start().destroy(made));
    expect(billed(world)).toEqual([]);
  });

  test("without its request in the state is known by its status", async () => {
    await using world = await startWorld(LONG);
    const made = await interrupted(world, kind, args);
    const { __pending: _, ...outputs } = made.outputs;
    const refreshed = await world.run(world.start().refresh({ ...made, outputs, reasons: [] }));
    expect(refreshed?.outputs["status"]).not.toBe(ready);
    if (refreshed === undefined) return expect.unreachable();
    const { kept } = await world.run(world.start().again(refreshed));
    expect(kept).toMatchObject({ reasons: [], outputs: { status: ready } });
  });
});
