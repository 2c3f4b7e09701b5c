import { describe, expect, test } from "vitest";
import { early } from "./outcome.ts";
import { startWorld, type World } from "./world.ts";

const MULTI_NODE = { instance_type: "8xH200", num_nodes: 2 };

const ends = (world: World): { clusterId: string; storageId: string } => ({
  clusterId: world.api.addCluster(MULTI_NODE),
  storageId: world.api.addVolume(),
});

const sent = (world: World, call: string): number =>
  world.entries().filter(({ method, path }) => `${method} ${path}` === call).length;

describe("an attachment", () => {
  test("that is pending goes on at the next up without a second attach", async () => {
    await using world = await startWorld({ operationSeconds: 60 });
    const args = ends(world);
    const up = world.start();
    const making = up.make("storageAttachment", "link", args);
    await world.clock.advance(20_000);
    up.cancel();
    const made = await world.run(making);
    expect(made.outputs["__pending"]).toBeDefined();
    const refreshed = await world.run(world.start().refresh(made));
    expect(refreshed?.outputs["__pending"]).toBeDefined();
    if (refreshed === undefined) return expect.unreachable();
    const { kind, kept } = await world.run(world.start().again(refreshed));
    expect(kind).toBe("update");
    expect(kept).toMatchObject({ id: made.id, reasons: [] });
    expect(kept.outputs).not.toHaveProperty("__pending");
    expect(await world.run(world.start().again(kept))).toMatchObject({ kind: "same" });
    expect(sent(world, "POST /storage/attach")).toBe(1);
    expect(early(world)).toEqual([]);
  });

  test.for([{ kind: "failed" }, { kind: "stuck", seconds: 100 }] as const)(
    "that is pending is gone after a refresh once it has $kind, and not before",
    async (fault) => {
      await using world = await startWorld({
        operationSeconds: 60,
        faults: [{ ...fault, on: "POST /storage/attach" }],
      });
      const up = world.start();
      const making = up.make("storageAttachment", "link", ends(world));
      await world.clock.advance(20_000);
      up.cancel();
      const made = await world.run(making);
      await world.clock.advance(60_000);
      const refreshed = await world.run(world.start().refresh(made));
      expect(refreshed === undefined).toBe(fault.kind === "failed");
      expect(early(world)).toEqual([]);
    },
  );

  test("that is pending is waited out by a destroy", async () => {
    await using world = await startWorld({ operationSeconds: 60 });
    const up = world.start();
    const making = up.make("storageAttachment", "link", ends(world));
    await world.clock.advance(20_000);
    up.cancel();
    const made = await world.run(making);
    await world.run(world.start().destroy(made));
    expect(await world.run(world.start().refresh(made))).toBeUndefined();
    expect(sent(world, "POST /storage/detach")).toBe(1);
  });
});
