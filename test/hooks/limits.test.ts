import { describe, expect, test } from "vitest";
import { CLUSTER, VOLUME } from "./args.ts";
import { startWorld } from "./world.ts";

describe("time limits", () => {
  test.for([
    { verb: "create", limit: 90 },
    { verb: "create", limit: undefined },
    { verb: "update", limit: 90 },
    { verb: "delete", limit: 90 },
  ] as const)("of $verb: $limit s", async ({ verb, limit }) => {
    await using world = await startWorld({ retryAfterSeconds: 60 });
    const up = world.start();
    const args = { ...VOLUME, ...(limit !== undefined && { timeouts: { [verb]: limit } }) };
    world.api.addFault({
      kind: "stuck",
      on: { create: "POST /storage/create", update: "PATCH /storage/edit/{id}", delete: "DELETE /storage/{id}" }[verb],
    });
    const making = up.make("storageVolume", "data", args);
    const seconds = await world.seconds(making);
    if (verb === "create") {
      expect(seconds).toBe(limit ?? 3_600);
      expect((await making).reasons.join()).toMatch(/time limit of \d+ s has passed.*customTimeouts/s);
      return;
    }
    const made = await making;
    if (verb === "update") {
      const growing = up.again(made, { ...args, sizeGb: 600 });
      expect(await world.seconds(growing)).toBe(limit ?? 1_800);
      expect((await growing).kept).toMatchObject({ outputs: { sizeGb: null }, inputs: { sizeGb: 500 } });
    } else {
      const destroying = up.destroy(made);
      expect(await world.seconds(destroying)).toBe(limit ?? 1_800);
      await expect(destroying).rejects.toThrow(/accepted and goes on at the server/);
    }
  });

  test("of attach and detach are those of create and delete", async () => {
    await using world = await startWorld({ retryAfterSeconds: 60 });
    const ends = {
      clusterId: world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 }),
      storageId: world.api.addVolume(),
    };
    const up = world.start();
    world.api.addFault({ kind: "stuck", seconds: 200, on: "POST /storage/attach" });
    const making = up.make("storageAttachment", "link", { ...ends, timeouts: { create: 70, delete: 80 } });
    expect(await world.seconds(making)).toBe(70);
    const { kept } = await world.run(world.start().again(await making));
    world.api.addFault({ kind: "stuck", seconds: 200, on: "POST /storage/detach" });
    expect(await world.seconds(world.start().destroy(kept))).toBe(80);
  });

  test("that change are stored, and send nothing", async () => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make("cluster", "train", CLUSTER));
    world.requests();
    const { kind, kept } = await world.run(up.again(made, { ...CLUSTER, timeouts: { delete: 5 } }));
    expect(kind).toBe("update");
    expect(kept.outputs).toMatchObject({ timeouts: { delete: 5 } });
    expect(world.requests()).toEqual([]);
    expect(await world.run(up.again(kept))).toMatchObject({ kind: "same" });
  });
});
