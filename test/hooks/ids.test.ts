import { describe, expect, test } from "vitest";
import { BOUGHT, CLUSTER } from "./args.ts";
import { everBilled, outcomeOf } from "./outcome.ts";
import { answer, callOf, withoutFields } from "./wire.ts";
import { startWorld } from "./world.ts";

describe.for(BOUGHT)("the id of a $kind", ({ kind, args, at }) => {
  test.for([
    { source: "the 202", omit: [] },
    { source: "the request's object_id", omit: ["cluster_id", "storage_id"] },
    { source: "the list, by name", omit: ["cluster_id", "storage_id", "object_id"] },
  ])("comes from $source", async ({ omit }) => {
    await using world = await startWorld({ omit });
    const made = await world.run(world.start().make(kind, "train", args));
    expect(made).toMatchObject({ id: everBilled(world)[0], reasons: [] });
    expect(await world.run(world.start().again(made))).toMatchObject({ kind: "same" });
  });

  test("comes from the list also after Ctrl-C", async () => {
    await using world = await startWorld({ omit: ["cluster_id", "storage_id", "object_id"], operationSeconds: 60 });
    const up = world.start();
    const making = up.make(kind, "train", args);
    await world.clock.advance(20_000);
    up.cancel();
    const made = await world.run(making);
    expect(made).toMatchObject({
      id: everBilled(world)[0],
      outputs: { __pending: { requestIds: [expect.stringMatching(/^r-/)] } },
    });
  });

  test("is a placeholder on a server that knows no more than the specification", async () => {
    await using world = await startWorld({ minimalSpec: true, strictSpec: true });
    const up = world.start();
    const made = await world.run(up.make(kind, "train", { ...args, ...(kind === "cluster" && { sshKeyId: "k-1" }) }));
    expect(made).toMatchObject({ id: expect.stringMatching(/^request:r-/), reasons: [] });
    expect(made.outputs).not.toHaveProperty("__pending");
    expect(await world.run(up.again(made))).toMatchObject({ kind: "same" });
    expect(await world.run(up.refresh(made))).toEqual(made);
    const renamed = await world.run(outcomeOf(up.again(made, { ...made.args, name: "new" }).then(({ kept }) => kept)));
    expect(renamed).toMatchObject({ words: expect.stringContaining("its id is not known yet") });
    await expect(world.run(up.destroy(made))).rejects.toThrow(/its id is not known \(request:r-.*dashboard/);
    expect(everBilled(world)).toHaveLength(1);
  });

  test("that was not known is put in place by a refresh, and the resource goes on", async () => {
    let knowsIds = false;
    await using world = await startWorld({}, async (request, send) => {
      const call = callOf(request);
      if (knowsIds) return send(request);
      if (call.includes("/info/") && !call.includes("/request/")) return answer(404, {});
      if (call.endsWith("/list")) return answer(404, {});
      return withoutFields(await send(request), ["cluster_id", "storage_id", "object_id"]);
    });
    const made = await world.run(world.start().make(kind, "train", args));
    expect(made.id).toMatch(/^request:/);
    knowsIds = true;
    const healed = await world.run(world.start().refresh(made));
    expect(healed).toMatchObject({ id: everBilled(world)[0] });
    if (healed === undefined) return expect.unreachable();
    const up = world.start();
    expect(await world.run(up.again(healed))).toMatchObject({ kind: "same" });
    expect(await world.run(up.again(healed, { ...args, name: "new" }))).toMatchObject({
      kept: { outputs: { name: "new" } },
    });
    await world.run(up.destroy(healed));
    expect(world.api.ledger().billed).toEqual([]);
  });

  test("that was not known is found by an update and by a delete too", async () => {
    let knowsIds = false;
    await using world = await startWorld({}, async (request, send) => {
      if (knowsIds) return send(request);
      if (/\/(list|info\/[cs]-.*)$/.test(callOf(request))) return answer(404, {});
      return withoutFields(await send(request), ["cluster_id", "storage_id", "object_id"]);
    });
    const made = await world.run(world.start().make(kind, "train", args));
    knowsIds = true;
    const { kept } = await world.run(world.start().again(made, { ...args, name: "new" }));
    expect(kept).toMatchObject({ id: made.id, reasons: [], outputs: { name: "new" } });
    await world.run(world.start().destroy(kept));
    expect(world.api.ledger().billed).toEqual([]);
    expect(world.entries().filter(({ path }) => path === `${at}/create`)).toHaveLength(1);
  });

  test("is a placeholder in an init error too, which the next run goes on with", async () => {
    let knowsIds = false;
    await using world = await startWorld({ operationSeconds: 60 }, async (request, send) => {
      if (knowsIds) return send(request);
      if (callOf(request).endsWith("/list")) return answer(200, {});
      return withoutFields(await send(request), ["cluster_id", "storage_id", "object_id"]);
    });
    const up = world.start();
    const making = up.make(kind, "train", args);
    await world.clock.advance(20_000);
    up.cancel();
    const made = await world.run(making);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^request:r-/),
      outputs: { __pending: { requestIds: [expect.stringMatching(/^r-/)] } },
    });
    knowsIds = true;
    const { kept } = await world.run(world.start().again(made));
    expect(kept).toMatchObject({ id: made.id, reasons: [], outputs: { __objectId: everBilled(world)[0] } });
    expect(await world.run(world.start().refresh(kept))).toMatchObject({ id: everBilled(world)[0] });
  });
});

test("an attachment resolves the placeholders of both ends", async () => {
  let isMinimal = true;
  await using world = await startWorld({}, async (request, send) => {
    if (!isMinimal) return send(request);
    if (/\/(list|info\/[cs]-.*)$/.test(callOf(request))) return answer(404, {});
    return withoutFields(await send(request), ["cluster_id", "storage_id", "object_id"]);
  });
  const up = world.start();
  const cluster = await world.run(up.make("cluster", "train", CLUSTER));
  const volume = await world.run(up.make("storageVolume", "data", { sizeGb: 100 }));
  const ends = { clusterId: cluster.id, storageId: volume.id };
  const early = world.run(outcomeOf(up.make("storageAttachment", "link", ends)));
  expect(await early).toMatchObject({
    ends: "error",
    words: expect.stringContaining("its id is not known yet. Run pulumi refresh"),
  });
  isMinimal = false;
  const link = await world.run(up.make("storageAttachment", "link", ends));
  expect(link.id).toBe(everBilled(world).join("/"));
  const [clusterId = "", storageId = ""] = everBilled(world);
  const healed = await world.run(up.again(link, { clusterId, storageId }));
  expect(healed.kind).not.toBe("replace");
  await world.run(up.destroy(healed.kept));
  expect(world.entries().filter(({ path }) => path === "/storage/attach")).toHaveLength(1);
});
