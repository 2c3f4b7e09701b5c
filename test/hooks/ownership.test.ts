import { describe, expect, test } from "vitest";
import { BOUGHT, CLUSTER, SSH_KEY, VOLUME } from "./args.ts";
import { billed, everBilled } from "./outcome.ts";
import { KEY, type Kept, type Process } from "./process.ts";
import { startWorld } from "./world.ts";

type Verb = "refresh" | "destroy";
const does = async (process: Process, verb: Verb, kept: Kept): Promise<unknown> => process[verb](kept);

const TWO_ACCOUNTS = { keys: [KEY, "other-key"] };
const OTHER = { env: { TENSORPOOL_KEY: "other-key" } };

describe.for(BOUGHT)("a $kind", ({ kind, args }) => {
  test("waits until a namesake that is being destroyed is gone, and then buys", async () => {
    await using world = await startWorld({ operationSeconds: 60 });
    const old = await world.run(world.start().make(kind, "train", args));
    const destroying = world.start().destroy(old);
    await world.clock.advance(10_000);
    const made = await world.run(world.start().make(kind, "train", args));
    await world.run(destroying);
    expect(made).toMatchObject({ reasons: [], outputs: { name: old.outputs["name"] } });
    expect(everBilled(world)).toEqual([old.id, made.id]);
    expect(billed(world)).toEqual([made.id]);
  });

  test("is never taken over by a create when this run has destroyed it", async () => {
    // The server goes on to show it for a while after COMPLETED.
    await using world = await startWorld({ goneAs: "record" });
    const up = world.start();
    const old = await world.run(up.make(kind, "train", args));
    await world.run(up.destroy(old));
    const made = await world.run(up.make(kind, "train", args));
    expect(made.id).not.toBe(old.id);
  });

  test("that a create of this run has taken over is not destroyed by the same run", async () => {
    await using world = await startWorld();
    const old = await world.run(world.start().make(kind, "train", args));
    const up = world.start();
    await world.run(up.make(kind, "train", args));
    await world.run(up.destroy(old));
    expect(billed(world)).toEqual([old.id]);
  });

  test.for<Verb>(["refresh", "destroy"])("is not gone for a %s with another account's key", async (verb) => {
    await using world = await startWorld(TWO_ACCOUNTS);
    const made = await world.run(world.start().make(kind, "train", args));
    await expect(world.run(does(world.start(OTHER), verb, made))).rejects.toThrow(
      /TENSORPOOL_KEY is not the key that it was last seen with/,
    );
    expect(billed(world)).toEqual([made.id]);
    world.api.remove(made.id);
    await expect(world.run(does(world.start(OTHER), verb, made))).rejects.toThrow(/pulumi state delete/);
    await world.run(does(world.start(), verb, made));
  });

  test("is neither forgotten nor bought again by an up with another account's key while its create is pending", async () => {
    await using world = await startWorld(TWO_ACCOUNTS);
    world.api.addFault({
      kind: "stuck",
      seconds: 400,
      on: kind === "cluster" ? "POST /cluster/create" : "POST /storage/create",
    });
    const pending = await world.run(world.start().make(kind, "train", { ...args, timeouts: { create: 60 } }));
    expect(pending.reasons.join()).toMatch(/goes on at the server/);
    const other = await world.run(world.start(OTHER).again(pending));
    expect(other.kept.reasons.join()).toMatch(/TENSORPOOL_KEY is not the key that it was last seen with/);
    expect(other.kept).toMatchObject({ id: pending.id, outputs: { __keyId: pending.outputs["__keyId"] } });
    const done = await world.run(world.start().again(other.kept));
    expect(done.kept).toMatchObject({ id: pending.id, reasons: [] });
    expect(everBilled(world)).toEqual([pending.id]);
  });

  test("keeps the mark of its key when an update calls nothing", async () => {
    await using world = await startWorld(TWO_ACCOUNTS);
    const made = await world.run(world.start().make(kind, "train", args));
    const { kept } = await world.run(world.start(OTHER).again(made, { ...args, timeouts: { delete: 60 } }));
    expect(kept.outputs["__keyId"]).toBe(made.outputs["__keyId"]);
  });

  test("is still known after the account's key was exchanged", async () => {
    const keys = [
      { key: KEY, account: "us" },
      { key: "new-key", account: "us" },
    ];
    await using world = await startWorld({ keys });
    const made = await world.run(world.start().make(kind, "train", args));
    const rotated = { env: { TENSORPOOL_KEY: "new-key" } };
    const refreshed = await world.run(world.start(rotated).refresh(made));
    expect(refreshed?.outputs["__keyId"]).not.toBe(made.outputs["__keyId"]);
    if (refreshed === undefined) return expect.unreachable();
    await world.run(world.start(rotated).destroy(refreshed));
    expect(await world.run(world.start(rotated).refresh(refreshed))).toBeUndefined();
  });

  test("of an organization goes through its life", async () => {
    await using world = await startWorld({ keys: [{ key: KEY, owner: "organization" }] });
    const up = world.start();
    const made = await world.run(up.make(kind, "train", args));
    expect(await world.run(up.refresh(made))).toEqual(made);
    const orphan = await world.run(world.start().make(kind, "train", args));
    expect(orphan.id).toBe(made.id);
    const { kept } = await world.run(world.start().again(orphan, { ...args, name: "new" }));
    await world.run(world.start().destroy(kept));
    expect(await world.run(world.start().refresh(kept))).toBeUndefined();
    expect(everBilled(world)).toEqual([made.id]);
    expect(billed(world)).toEqual([]);
  });

  test("of an organization is found again after a lost answer", async () => {
    await using world = await startWorld({ keys: [{ key: KEY, owner: "organization" }] });
    world.api.addFault({
      kind: "lost-answer",
      on: kind === "cluster" ? "POST /cluster/create" : "POST /storage/create",
    });
    const made = await world.run(world.start().make(kind, "train", args));
    expect(everBilled(world)).toEqual([made.id]);
  });

  test("with two stacks of one name in one account stays two", async () => {
    await using world = await startWorld();
    const made = await world.run(world.start().make(kind, "train", args));
    const other = await world.run(world.start().make(kind, "train", { ...args, __seed: "0123456789ab" }));
    expect(other.id).not.toBe(made.id);
    expect(billed(world)).toEqual([made.id, other.id]);
  });

  test("that was destroyed is gone, whether the server answers 404 or a record", async () => {
    await using world = await startWorld({ goneAs: "record" });
    const up = world.start();
    const made = await world.run(up.make(kind, "train", args));
    await world.run(up.destroy(made));
    expect(await world.run(world.start().refresh(made))).toBeUndefined();
    await world.run(world.start().destroy(made));
  });
});

describe("another account's key", () => {
  test.for<Verb>(["refresh", "destroy"])("does not let a %s of an SSH key succeed", async (verb) => {
    await using world = await startWorld(TWO_ACCOUNTS);
    const made = await world.run(world.start().make("sshKey", "me", SSH_KEY));
    await expect(world.run(does(world.start(OTHER), verb, made))).rejects.toThrow(/TENSORPOOL_KEY is not the key/);
  });

  test.for<Verb>(["refresh", "destroy"])("does not let a %s of an attachment succeed", async (verb) => {
    await using world = await startWorld(TWO_ACCOUNTS);
    const up = world.start();
    const cluster = await world.run(up.make("cluster", "train", CLUSTER));
    const volume = await world.run(up.make("storageVolume", "data", VOLUME));
    const link = await world.run(up.make("storageAttachment", "link", { clusterId: cluster.id, storageId: volume.id }));
    await expect(world.run(does(world.start(OTHER), verb, link))).rejects.toThrow(/TENSORPOOL_KEY is not the key/);
  });
});

describe("what a create has taken over is not taken away by the delete of its old name in the same run", () => {
  test.for(["the same ends", "adopt"])("when an attachment is renamed in the program, with %s", async (by) => {
    await using world = await startWorld();
    const clusterId = world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 });
    const args = { clusterId, storageId: world.api.addVolume() };
    const old = await world.run(world.start().make("storageAttachment", "old", args));
    const up = world.start();
    const made = await world.run(up.make("storageAttachment", "new", by === "adopt" ? { adopt: old.id } : args));
    await world.run(up.destroy(old));
    expect(await world.run(world.start().refresh(made))).toEqual(made);
    await world.run(world.start().destroy(made));
    expect(await world.run(world.start().refresh(made))).toBeUndefined();
  });

  test("when an SSH key is renamed in the program, with adopt", async () => {
    await using world = await startWorld();
    const old = await world.run(world.start().make("sshKey", "old", SSH_KEY));
    const up = world.start();
    const made = await world.run(up.make("sshKey", "new", { adopt: old.id }));
    await world.run(up.destroy(old));
    expect(await world.run(world.start().refresh(made))).toEqual(made);
    await world.run(world.start().destroy(made));
    expect(await world.run(world.start().refresh(made))).toBeUndefined();
  });
});
