import { describe, expect, test } from "vitest";
import { BOUGHT, CLUSTER, PUBLIC_KEY, plainPath, SSH_KEY, VOLUME } from "./args.ts";
import { startWorld, type World } from "./world.ts";

/** The requests since the last call, without ids and with polls told once. */
function told(world: World): string[] {
  return world.requests().reduce<string[]>((list, request) => {
    const plain = plainPath(request);
    return plain === "GET /request/info/{id}" && list.at(-1) === plain ? list : [...list, plain];
  }, []);
}

describe("a resource that is bought", () => {
  test.for(BOUGHT)("$kind goes through its life with the fewest requests", async ({ kind, args, at, ready }) => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make(kind, "train", args));
    expect(made).toMatchObject({
      reasons: [],
      outputs: { ...args, status: ready, name: expect.stringMatching(/^train-/) },
    });
    expect(world.api.ledger().billed).toMatchObject([{ id: made.id, name: made.outputs["name"] }]);
    const list = [`GET ${at}/list`, `GET ${at}/list`];
    const poll = "GET /request/info/{id}";
    expect(told(world)).toEqual([...list, `GET ${at}/quote`, `POST ${at}/create`, poll, `GET ${at}/info/{id}`]);

    expect(await world.run(up.again(made))).toEqual({ kind: "same", kept: made });
    expect(told(world)).toEqual([]);

    const refreshed = await world.run(up.refresh(made));
    expect(refreshed).toEqual(made);
    expect(told(world)).toEqual([`GET ${at}/info/{id}`]);

    const renamed = await world.run(up.again(made, { ...args, name: "serve", deletionProtection: true }));
    expect(renamed).toMatchObject({
      kind: "update",
      kept: { id: made.id, reasons: [], outputs: { name: "serve", deletionProtection: true } },
    });
    // The edit takes 1.25 s; it is looked for at once, after 1 s and after 2 s.
    expect(told(world)).toEqual([`PATCH ${at}/edit/{id}`, ...Array(3).fill(`GET ${at}/info/{id}`)]);

    const open = await world.run(up.again(renamed.kept, { ...args, name: "serve", deletionProtection: false }));
    told(world);
    await world.run(up.destroy(open.kept));
    expect(told(world)).toEqual([`GET ${at}/info/{id}`, `DELETE ${at}/{id}`, poll, `GET ${at}/info/{id}`, ...list]);
    expect(world.api.ledger().billed).toEqual([]);
  });

  test.for(BOUGHT)("many of $kind created one after the other share a look", async ({ kind, args, at }) => {
    await using world = await startWorld({ operationSeconds: 60, retryAfterSeconds: 60 });
    const up = world.start();
    const creates: Promise<unknown>[] = [];
    for (let index = 0; index < 20; index += 1) {
      creates.push(up.make(kind, `train-${index}`, args));
      await world.run(world.clock.sleep(20));
    }
    await world.run(Promise.all(creates));
    expect(world.api.ledger().billed).toHaveLength(20);
    expect(world.requests().filter((one) => plainPath(one) === `GET ${at}/list`)).toHaveLength(2);
  });

  test.for(BOUGHT)(
    "of two $kind with one name the later one is refused when the first was sent just now",
    async ({ kind, args }) => {
      await using world = await startWorld();
      const up = world.start();
      const first = up.make(kind, "train", { ...args, name: "shared" });
      await world.run(world.clock.sleep(100));
      await expect(world.run(up.make(kind, "other", { ...args, name: "shared" }))).rejects.toThrow(
        /has this name already/,
      );
      await world.run(first);
      expect(world.api.ledger().billed).toHaveLength(1);
    },
  );

  test.for(BOUGHT)("$kind is looked up by .get with one request", async ({ kind, at, ready }) => {
    await using world = await startWorld();
    const id = kind === "cluster" ? world.api.addCluster({ name: "there" }) : world.api.addVolume({ name: "there" });
    const got = await world.run(world.start().get(kind, "look", id));
    expect(got).toMatchObject({ id, outputs: { name: "there", status: ready } });
    expect(told(world)).toEqual([`GET ${at}/info/{id}`]);
  });

  test.for(BOUGHT)("$kind that does not exist makes .get fail", async ({ kind }) => {
    await using world = await startWorld();
    const prefix = kind === "cluster" ? "c" : "s";
    await expect(world.run(world.start().get(kind, "look", `${prefix}-00000000`))).rejects.toThrow(
      /Cannot get .* "[cs]-00000000": the API knows no such id/,
    );
  });

  test.for(BOUGHT)("$kind that somebody else has destroyed is gone after a refresh", async ({ kind, args }) => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make(kind, "train", args));
    world.api.remove(made.id);
    expect(await world.run(up.refresh(made))).toBeUndefined();
    await world.run(up.destroy(made));
    expect(world.requests().filter((one) => one.startsWith("DELETE"))).toEqual([]);
  });

  test.for(BOUGHT)("$kind answers a refresh with the drift and nothing else", async ({ kind, args }) => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make(kind, "train", { ...args, name: "mine" }));
    world.api.edit(made.id, { name: "theirs", deletion_protection: true });
    const refreshed = await world.run(up.refresh(made));
    const drift = { name: "theirs", deletionProtection: true };
    expect(refreshed?.outputs).toEqual({ ...made.outputs, ...drift });
    expect(refreshed?.inputs).toEqual({ ...made.inputs, ...drift });
  });
});

test("a cluster is replaced when its instance type changes", async () => {
  await using world = await startWorld();
  const up = world.start();
  const made = await world.run(up.make("cluster", "train", CLUSTER));
  const { kind, kept } = await world.run(up.again(made, { ...CLUSTER, instanceType: "8xB200" }));
  expect(kind).toBe("replace");
  expect(world.api.ledger()).toMatchObject({
    billed: [{ id: kept.id }],
    everBilled: [{ id: made.id }, { id: kept.id }],
  });
});

test("a cluster tells the addresses of its nodes", async () => {
  await using world = await startWorld();
  const { outputs } = await world.run(world.start().make("cluster", "train", CLUSTER));
  const node = { id: expect.stringMatching(/^i-/), status: "RUNNING", privateIpAddress: expect.any(String) };
  expect(outputs["instances"]).toEqual([{ ...node, ipAddress: expect.any(String) }, node]);
});

test("a cluster sends only what the program has set", async () => {
  await using world = await startWorld();
  const made = await world.run(world.start().make("cluster", "train", { instanceType: "1xH100", sshKeyId: "k-1" }));
  expect(made.outputs).toMatchObject({ sshKeyId: "k-1", publicKeys: null, container: null, numNodes: 1 });
});

test("a volume grows in place, never shrinks, and tells its mount path", async () => {
  await using world = await startWorld();
  const up = world.start();
  const made = await world.run(up.make("storageVolume", "data", VOLUME));
  expect(made.outputs["mountPath"]).toBe(`/mnt/${made.id}`);
  const grown = await world.run(up.again(made, { sizeGb: 600 }));
  expect(grown).toMatchObject({ kind: "update", kept: { id: made.id, outputs: { sizeGb: 600 } } });
  await expect(world.run(up.again(grown.kept, { sizeGb: 599 }))).rejects.toThrow(
    /Cannot shrink the volume from 600 GB to 599 GB/,
  );
});

describe("an SSH key", () => {
  test("goes through its life with the fewest requests", async () => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make("sshKey", "me", SSH_KEY));
    const lists = ["GET /user/ssh-key/list", "GET /user/ssh-key/list"];
    expect(made).toMatchObject({ id: expect.stringMatching(/^k-/), outputs: SSH_KEY });
    expect(told(world)).toEqual([...lists, "POST /user/ssh-key/add"]);
    expect(await world.run(up.refresh(made))).toEqual(made);
    expect((await world.run(up.again(made))).kind).toBe("same");
    expect(told(world)).toEqual(lists);
    await world.run(up.destroy(made));
    expect(told(world)).toEqual([...lists, "DELETE /user/ssh-key/remove/{id}"]);
    expect(await world.run(up.refresh(made))).toBeUndefined();
    await world.run(up.destroy(made));
  });

  test("with another comment is the same key", async () => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make("sshKey", "me", SSH_KEY));
    const { kind } = await world.run(up.again(made, { publicKey: `${PUBLIC_KEY}-2\n` }));
    expect(kind).toBe("same");
  });

  test("that is registered already names its id and adopt", async () => {
    await using world = await startWorld();
    const up = world.start();
    const first = await world.run(up.make("sshKey", "me", { ...SSH_KEY, name: "first" }));
    const second = world.run(up.make("sshKey", "again", { ...SSH_KEY, name: "second" }));
    await expect(second).rejects.toThrow(`adopt: "${first.id}"`);
    const adopted = await world.run(up.make("sshKey", "again", { adopt: first.id }));
    expect(adopted).toMatchObject({ id: first.id, outputs: { name: "first", publicKey: PUBLIC_KEY } });
  });

  test("that does not exist makes .get fail", async () => {
    await using world = await startWorld();
    await expect(world.run(world.start().get("sshKey", "me", "k-00000000"))).rejects.toThrow(/knows no such id/);
  });
});
