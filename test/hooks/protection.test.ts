import { describe, expect, test } from "vitest";
import { BOUGHT, CLUSTER } from "./args.ts";
import { billed } from "./outcome.ts";
import { startWorld } from "./world.ts";

describe("deletion protection", () => {
  test.for(BOUGHT)("of a $kind keeps a destroy from sending anything", async ({ kind, args }) => {
    await using world = await startWorld();
    const made = await world.run(world.start().make(kind, "train", { ...args, deletionProtection: true }));
    await expect(world.run(world.start().destroy(made))).rejects.toThrow(
      /deletionProtection: false and run pulumi up, then destroy/,
    );
    expect(world.entries().filter(({ method }) => method === "DELETE" || method === "PATCH")).toEqual([]);
    const { kept } = await world.run(world.start().again(made, { ...args, deletionProtection: false }));
    await world.run(world.start().destroy(kept));
    expect(billed(world)).toEqual([]);
  });

  test("of a failed cluster is named as what stands in the way of its replacement", async () => {
    await using world = await startWorld({
      faults: [{ kind: "failed", keepObject: true, on: "POST /cluster/create" }],
    });
    const made = await world.run(world.start().make("cluster", "train", { ...CLUSTER, deletionProtection: true }));
    expect(made.reasons.join()).toMatch(/switch its deletion protection off in the TensorPool dashboard/);
  });
});
