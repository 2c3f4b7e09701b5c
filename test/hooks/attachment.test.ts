import { describe, expect, test } from "vitest";
import type { Props } from "../engine/plugin.ts";
import { plainPath } from "./args.ts";
import { early } from "./outcome.ts";
import { callOf, changed, withoutFields } from "./wire.ts";
import { startWorld, type World } from "./world.ts";

const MULTI_NODE = { instance_type: "8xH200", num_nodes: 2 };

const ends = (world: World): { clusterId: string; storageId: string } => ({
  clusterId: world.api.addCluster(MULTI_NODE),
  storageId: world.api.addVolume(),
});

const sent = (world: World, call: string): number =>
  world.entries().filter(({ method, path }) => `${method} ${path}` === call).length;

describe("an attachment", () => {
  test("goes through its life with the fewest requests", async () => {
    await using world = await startWorld();
    const { clusterId, storageId } = ends(world);
    const up = world.start();
    const made = await world.run(up.make("storageAttachment", "link", { clusterId, storageId }));
    expect(made).toMatchObject({ id: `${clusterId}/${storageId}`, reasons: [], outputs: { clusterId, storageId } });
    const look = ["GET /cluster/info/{id}", "GET /storage/info/{id}"];
    const [calm = "", ...rest] = world.requests().map(plainPath);
    expect(calm).toBe("GET /cluster/info/{id}");
    expect(rest.toSorted()).toEqual(
      [...look, ...look, "GET /cluster/info/{id}", "GET /request/info/{id}", "POST /storage/attach"].toSorted(),
    );

    expect((await world.run(up.again(made))).kind).toBe("same");
    expect(world.requests()).toEqual([]);
    expect(await world.run(up.refresh(made))).toEqual(made);
    // Once more for the cluster: a restart under way would mean that a detach may be.
    expect(world.requests().map(plainPath).toSorted()).toEqual(["GET /cluster/info/{id}", ...look]);

    await world.run(up.destroy(made));
    const all = world.requests().map(plainPath);
    expect(all.filter((one) => one.startsWith("POST"))).toEqual(["POST /storage/detach"]);
    expect(all.length).toBeLessThanOrEqual(8);
    expect(await world.run(up.refresh(made))).toBeUndefined();
    await world.run(up.destroy(made));
    expect(sent(world, "POST /storage/detach")).toBe(1);
  });

  test("that is there already is taken over without a restart", async () => {
    await using world = await startWorld();
    const args = ends(world);
    world.api.edit(args.clusterId, { storage: [args.storageId] });
    const made = await world.run(world.start().make("storageAttachment", "link", args));
    expect(made.reasons).toEqual([]);
    expect(sent(world, "POST /storage/attach")).toBe(0);
    expect(world.lines.map(({ message }) => message).join("\n")).toContain("attached to cluster");
  });

  test.for([
    { side: "the volume", omit: ["storage"] },
    { side: "the cluster", omit: ["attached_clusters"] },
    { side: "neither: then nobody can look", omit: ["storage", "attached_clusters"] },
  ])("is seen when only $side tells", async ({ omit }) => {
    await using world = await startWorld({}, async (request, send) => withoutFields(await send(request), omit));
    const args = ends(world);
    const up = world.start();
    const made = await world.run(up.make("storageAttachment", "link", args));
    expect(await world.run(up.refresh(made))).toEqual(made);
    await world.run(up.destroy(made));
    expect(sent(world, "POST /storage/detach")).toBe(1);
  });

  test("waits for every request of its request_ids", async () => {
    let other = "";
    await using world = await startWorld({}, async (request, send) => {
      const response = await send(request);
      if (callOf(request) !== "POST /storage/attach") return response;
      return changed(response, (body) => ({ ...body, request_ids: [body["request_ids"], other].flat() }));
    });
    const args = ends(world);
    const up = world.start();
    // Another request, that takes longer.
    world.api.addFault({ kind: "takes", seconds: 60, on: "POST /storage/create" });
    const slow = up.make("storageVolume", "slow", { sizeGb: 1 });
    await world.clock.advance(1_000);
    other = /r-[0-9a-f]{8}/.exec(world.lines.map(({ message }) => message).join())?.[0] ?? "";
    up.cancel();
    await world.run(slow);
    const attaching = world.start().make("storageAttachment", "link", args);
    expect(await world.seconds(attaching)).toBeGreaterThan(55);
    expect((await attaching).reasons).toEqual([]);
    expect(early(world)).toEqual([]);
  });

  test("is replaced when one of its ends changes", async () => {
    await using world = await startWorld();
    const args = ends(world);
    const up = world.start();
    const made = await world.run(up.make("storageAttachment", "link", args));
    const storageId = world.api.addVolume();
    const { kind, kept } = await world.run(up.again(made, { ...args, storageId }));
    expect(kind).toBe("replace");
    expect(kept.id).toBe(`${args.clusterId}/${storageId}`);
    expect(await world.run(up.refresh(made))).toBeUndefined();
  });

  test("waits until its cluster and its volume are ready", async () => {
    await using world = await startWorld({ operationSeconds: 30 });
    const up = world.start();
    const cluster = await world.run(up.make("cluster", "train", { instanceType: "32xCPU", sshKeyId: "k-1" }));
    const volume = await world.run(up.make("storageVolume", "data", { sizeGb: 1 }));
    const other = await world.run(up.make("storageVolume", "more", { sizeGb: 1 }));
    const attach = (process: typeof up, storageId: string): ReturnType<typeof up.make> =>
      process.make("storageAttachment", storageId, { clusterId: cluster.id, storageId });
    const first = attach(world.start(), volume.id);
    await world.clock.advance(5_000);
    // Another process: nothing but the cluster's status tells it.
    const second = await world.run(attach(world.start(), other.id));
    expect(second.reasons).toEqual([]);
    expect((await world.run(first)).reasons).toEqual([]);
    expect(world.entries().filter(({ status }) => status === 409)).toEqual([]);
  });

  test("of several volumes to one cluster restarts it one at a time", async () => {
    await using world = await startWorld({ operationSeconds: 20 });
    const clusterId = world.api.addCluster(MULTI_NODE);
    const all: Props[] = [1, 2, 3].map(() => ({ clusterId, storageId: world.api.addVolume() }));
    const up = world.start();
    const made = await world.run(
      Promise.all(all.map((args, index) => up.make("storageAttachment", `link-${index}`, args))),
    );
    expect(made.flatMap(({ reasons }) => reasons)).toEqual([]);
    await world.run(Promise.all(made.map((one) => up.destroy(one))));
    const changes = world.entries().filter(({ method }) => method === "POST");
    expect(changes.map(({ status }) => status)).toEqual(Array(6).fill(202));
    for (const [index, { atMs }] of changes.entries()) {
      expect(atMs - (changes[index - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(20_000);
    }
  });

  test("of volumes to different clusters goes on at once", async () => {
    await using world = await startWorld({ operationSeconds: 20 });
    const up = world.start();
    const links = [1, 2, 3].map((index) => up.make("storageAttachment", `link-${index}`, ends(world)));
    expect(await world.seconds(Promise.all(links))).toBe(20);
  });

  test("to what takes no storage is refused in the server's words", async () => {
    await using world = await startWorld();
    const args = { clusterId: world.api.addCluster(), storageId: world.api.addVolume() };
    await expect(world.run(world.start().make("storageAttachment", "link", args))).rejects.toThrow(
      /multi-node GPU clusters and CPU/,
    );
  });

  test.for(["detached", "cluster gone", "volume gone", "both gone"])("is gone after a refresh when %s", async (how) => {
    await using world = await startWorld();
    const args = ends(world);
    const up = world.start();
    const made = await world.run(up.make("storageAttachment", "link", args));
    if (how === "detached") world.api.edit(args.clusterId, { storage: [] });
    if (how === "cluster gone" || how === "both gone") world.api.remove(args.clusterId);
    if (how === "volume gone" || how === "both gone") world.api.remove(args.storageId);
    expect(await world.run(up.refresh(made))).toBeUndefined();
    await world.run(up.destroy(made));
    expect(sent(world, "POST /storage/detach")).toBe(0);
  });

  test("is looked up by .get, and a missing one is an error", async () => {
    await using world = await startWorld();
    const { clusterId, storageId } = ends(world);
    const id = `${clusterId}/${storageId}`;
    await expect(world.run(world.start().get("storageAttachment", "link", id))).rejects.toThrow(
      /the API shows no such attachment/,
    );
    world.api.edit(clusterId, { storage: [storageId] });
    const got = await world.run(world.start().get("storageAttachment", "link", id));
    expect(got).toMatchObject({ id, outputs: { clusterId, storageId } });
  });
});
