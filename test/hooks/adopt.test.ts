import { describe, expect, test } from "vitest";
import { CLUSTER, SSH_KEY, VOLUME } from "./args.ts";
import { billed, everBilled } from "./outcome.ts";
import type { Kind } from "./process.ts";
import { startWorld, type World } from "./world.ts";

const posts = (world: World): string[] =>
  world.entries().flatMap(({ method, path }) => (method === "POST" ? [path] : []));

/** The two kinds that are bought, and how one that is there already looks. */
const KINDS: readonly {
  kind: Kind;
  args: Record<string, unknown>;
  there: (world: World, name: string) => string;
  differs: Record<string, unknown>;
  says: RegExp;
}[] = [
  {
    kind: "cluster",
    args: CLUSTER,
    there: (world, name) => world.api.addCluster({ name, instance_type: "8xH200", num_nodes: 2 }),
    differs: { instanceType: "8xB200" },
    says: /its instanceType is "8xH200", not "8xB200"/,
  },
  {
    kind: "storageVolume",
    args: VOLUME,
    there: (world, name) => world.api.addVolume({ name, size_gb: 500 }),
    differs: { sizeGb: 400 },
    says: /500.*400|shrink/i,
  },
];

describe.for(KINDS)("adopt of a $kind", ({ kind, args, there, differs, says }) => {
  test.for(["id", "name"])("takes over the object of that %s without a purchase", async (by) => {
    await using world = await startWorld();
    const id = there(world, "old");
    const made = await world.run(world.start().make(kind, "train", { ...args, adopt: by === "id" ? id : "old" }));
    expect(made).toMatchObject({ id, reasons: [], outputs: { name: "old", ...args } });
    expect(await world.run(world.start().again(made))).toMatchObject({ kind: "same" });
    expect(posts(world)).toEqual([]);
    expect(everBilled(world)).toEqual([id]);
  });

  test("needs no other argument, and leaves the object as it is", async () => {
    await using world = await startWorld();
    const id = there(world, "old");
    world.api.edit(id, { deletion_protection: true });
    const made = await world.run(world.start().make(kind, "train", { adopt: id }));
    expect(made).toMatchObject({ id, reasons: [], outputs: { name: "old", deletionProtection: true } });
    expect(world.entries().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await world.run(world.start().again(made))).toMatchObject({ kind: "same" });
    const refreshed = await world.run(world.start().refresh(made));
    expect(refreshed?.inputs).toEqual(made.inputs);
  });

  test("changes in place what the program wants otherwise", async () => {
    await using world = await startWorld();
    const id = there(world, "old");
    const made = await world.run(
      world.start().make(kind, "train", { ...args, adopt: id, name: "new", deletionProtection: true }),
    );
    expect(made).toMatchObject({ id, reasons: [], outputs: { name: "new", deletionProtection: true } });
    const refreshed = await world.run(world.start().refresh(made));
    expect(refreshed).toMatchObject({ outputs: { name: "new", deletionProtection: true } });
  });

  test("of one that does not fit changes nothing and says what differs", async () => {
    await using world = await startWorld();
    const id = there(world, "old");
    const adopting = world.run(world.start().make(kind, "train", { ...args, ...differs, adopt: id }));
    await expect(adopting).rejects.toThrow(says);
    expect(world.entries().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("of one that is not there creates nothing", async () => {
    await using world = await startWorld();
    const adopting = world.run(world.start().make(kind, "train", { ...args, adopt: "nothing" }));
    await expect(adopting).rejects.toThrow(/Cannot adopt .* "nothing": there is none. Nothing was created/);
    expect(posts(world)).toEqual([]);
  });

  test("of one that another resource of the same run has adopted says so", async () => {
    await using world = await startWorld();
    const id = there(world, "old");
    const up = world.start();
    const made = await world.run(up.make(kind, "one", { adopt: id }));
    expect(made).toMatchObject({ id, reasons: [] });
    const second = world.run(up.make(kind, "two", { adopt: "old" }));
    await expect(second).rejects.toThrow(`${id}: another resource of this run`);
  });

  test("of one that is being destroyed says so", async () => {
    await using world = await startWorld({ operationSeconds: 60 });
    const up = world.start();
    const made = await world.run(up.make(kind, "train", { ...args, name: "old" }));
    const destroying = up.destroy(made);
    await world.clock.advance(10_000);
    const adopting = world.start().make(kind, "other", { ...args, adopt: made.id });
    await expect(world.run(adopting)).rejects.toThrow(/it is DESTROYING/);
    await world.run(destroying);
  });

  test("refuses a change that replaces what it names, as long as adopt is there, and destroys nothing", async () => {
    await using world = await startWorld();
    const id = there(world, "old");
    const adopted = await world.run(world.start().make(kind, "train", { ...args, adopt: id }));
    const beyond = { ...adopted, outputs: { ...adopted.outputs, status: "FAILED" } };
    await expect(world.run(world.start().again(beyond))).rejects.toThrow(
      `it is FAILED, and adopt: "${id}" would look for it in vain once it is destroyed. Nothing was changed`,
    );
    expect(billed(world)).toEqual([id]);
    // A refresh asks for a diff too, also the one before a destroy, which must come through.
    expect(await world.start().diff(beyond)).toMatchObject({ replaces: ["status"] });
    const without = await world.run(world.start().again(beyond, args));
    expect(without.kind).toBe("replace");
    expect(billed(world)).toEqual([without.kept.id]);
  });

  test("and destroy remove it", async () => {
    await using world = await startWorld();
    const id = there(world, "old");
    const made = await world.run(world.start().make(kind, "train", { ...args, adopt: id }));
    await world.run(world.start().destroy(made));
    expect(billed(world)).toEqual([]);
  });
});

describe.for(KINDS)("a name that the program has chosen for a $kind", ({ kind, args, there }) => {
  test("takes over nothing: the error gives the id and the line to write", async () => {
    await using world = await startWorld();
    const id = there(world, "mine");
    const making = world.run(world.start().make(kind, "train", { ...args, name: "mine" }));
    await expect(making).rejects.toThrow(`add adopt: "${id}" to take it over`);
    expect(posts(world)).toEqual([]);
    expect(billed(world)).toEqual([id]);
  });
});

describe.for(KINDS)("the own name of a $kind", ({ kind, args, there }) => {
  test("takes over what an interrupted run has bought, and says which", async () => {
    await using world = await startWorld();
    const up = world.start();
    const { inputs } = await up.check(kind, "train", args);
    const id = there(world, String(inputs["name"]));
    const made = await world.run(up.make(kind, "train", args));
    expect(made).toMatchObject({ id, reasons: [] });
    expect(posts(world)).toEqual([]);
    expect(world.lines.map(({ message }) => message).join("\n")).toMatch(
      new RegExp(`took over .* ${id} .* instead of creating`),
    );
  });

  test("takes over an orphan that does not fit any more, to be replaced or changed", async () => {
    await using world = await startWorld();
    const { inputs } = await world.start().check(kind, "train", args);
    const id = there(world, String(inputs["name"]));
    const wanted = kind === "cluster" ? { ...args, instanceType: "8xB200" } : { ...args, sizeGb: 900 };
    const made = await world.run(world.start().make(kind, "train", wanted));
    expect(made.id).toBe(id);
    const { kept } = await world.run(world.start().again(made));
    expect(kept).toMatchObject({ reasons: [], outputs: wanted });
    expect(billed(world)).toEqual([kept.id]);
    expect(made.reasons.join()).toMatch(
      kind === "cluster" ? /took over .*instanceType is "8xH200", not "8xB200".*pulumi up to replace/is : /^$/,
    );
  });

  test("takes over an orphan that cannot be changed, so that the state holds it", async () => {
    await using world = await startWorld({
      faults: [
        {
          kind: "status",
          status: 403,
          on: kind === "cluster" ? "PATCH /cluster/edit/{id}" : "PATCH /storage/edit/{id}",
        },
      ],
    });
    const { inputs } = await world.start().check(kind, "train", args);
    const id = there(world, String(inputs["name"]));
    const wanted = { ...args, deletionProtection: true };
    const made = await world.run(world.start().make(kind, "train", wanted));
    expect(made).toMatchObject({ id, outputs: { deletionProtection: false } });
    expect(made.reasons.join()).toContain("lacks this permission");
    const { kept } = await world.run(world.start().again(made));
    expect(kept).toMatchObject({ id, reasons: [], outputs: wanted });
  });

  test("takes over nothing where old and new stand side by side", async () => {
    await using world = await startWorld();
    const side = { ...args, __side: true };
    const { inputs } = await world.start().check(kind, "train", side);
    const id = there(world, String(inputs["name"]));
    await expect(world.run(world.start().make(kind, "train", side))).rejects.toThrow(id);
    expect(posts(world)).toEqual([]);
  });
});

describe("adopt of an SSH key", () => {
  test.for(["id", "name"])("takes over the key of that %s", async (by) => {
    await using world = await startWorld();
    const up = world.start();
    const { id } = await world.run(up.make("sshKey", "first", { ...SSH_KEY, name: "laptop" }));
    const made = await world.run(up.make("sshKey", "me", { ...SSH_KEY, adopt: by === "id" ? id : "laptop" }));
    expect(made).toMatchObject({ id, reasons: [], outputs: { name: "laptop" } });
    expect(await world.run(up.again(made))).toMatchObject({ kind: "same" });
    expect(posts(world)).toHaveLength(1);
  });

  test("of another key says so", async () => {
    await using world = await startWorld();
    const up = world.start();
    const { id } = await world.run(up.make("sshKey", "first", SSH_KEY));
    const other = { publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5BBBB", adopt: id };
    await expect(world.run(up.make("sshKey", "me", other))).rejects.toThrow(/its publicKey is another one/);
  });

  test("that is not there registers nothing", async () => {
    await using world = await startWorld();
    await expect(world.run(world.start().make("sshKey", "me", { adopt: "k-0" }))).rejects.toThrow(
      /Nothing was registered/,
    );
  });
});

describe("adopt of a storage attachment", () => {
  function linked(world: World): { clusterId: string; storageId: string } {
    const clusterId = world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 });
    const storageId = world.api.addVolume();
    world.api.edit(clusterId, { storage: [storageId] });
    return { clusterId, storageId };
  }

  test("takes over the one of that id, and diff ignores adopt from then on", async () => {
    await using world = await startWorld();
    const ends = linked(world);
    const adopt = `${ends.clusterId}/${ends.storageId}`;
    const up = world.start();
    const made = await world.run(up.make("storageAttachment", "link", { ...ends, adopt }));
    expect(made).toMatchObject({ id: adopt, reasons: [], outputs: { ...ends, adopt } });
    expect((await world.run(up.again(made))).kind).toBe("same");
    expect(await world.run(up.refresh(made))).toEqual(made);
    const without = await world.run(up.again(made, ends));
    expect(without).toMatchObject({ kind: "update", kept: { id: adopt, outputs: { ...ends, adopt: null } } });
    expect((await world.run(up.again(without.kept))).kind).toBe("same");
    expect(posts(world)).toEqual([]);
    await world.run(world.start().destroy(without.kept));
    expect(posts(world)).toEqual(["/storage/detach"]);
  });

  test("needs no other argument", async () => {
    await using world = await startWorld();
    const ends = linked(world);
    const up = world.start();
    const made = await world.run(
      up.make("storageAttachment", "link", { adopt: `${ends.clusterId}/${ends.storageId}` }),
    );
    expect(made).toMatchObject({ reasons: [], outputs: ends });
    expect(await world.run(up.refresh(made))).toEqual(made);
    const named = await world.run(up.again(made, { ...made.args, ...ends }));
    expect(named.kind).toBe("same");
    expect(posts(world)).toEqual([]);
  });

  test("waits until the cluster is through with what restarts it", async () => {
    await using world = await startWorld();
    const ends = linked(world);
    const up = world.start();
    const detaching = up.destroy(await up.get("storageAttachment", "old", `${ends.clusterId}/${ends.storageId}`));
    await world.clock.advance(1_000);
    const adopting = world.start().make("storageAttachment", "link", { adopt: `${ends.clusterId}/${ends.storageId}` });
    await expect(world.run(adopting)).rejects.toThrow("is not attached to cluster");
    await world.run(detaching);
    expect(posts(world)).toEqual(["/storage/detach"]);
  });

  test.for([
    ["names another end than the program", { clusterId: "c-9" }, /its clusterId is "c-\w+", not "c-9". Nothing was/],
    [
      "is not there",
      { adopt: "c-9/s-9" },
      /adopt storage attachment c-9\/s-9: volume s-9 is not attached to cluster c-9/,
    ],
    ["is no id of an attachment", { adopt: "data" }, /Cannot use adopt "data": expected the id of an attachment/],
  ] as const)("that %s attaches nothing", async ([, wrong, says]) => {
    await using world = await startWorld();
    const ends = linked(world);
    const adopt = `${ends.clusterId}/${ends.storageId}`;
    const making = world.start().make("storageAttachment", "link", { adopt, ...wrong });
    await expect(world.run(making)).rejects.toThrow(says);
    expect(posts(world)).toEqual([]);
  });
});
