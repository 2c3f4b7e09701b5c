import { describe, expect, test } from "vitest";
import type { UnfinishedError } from "../../provider/client/index.ts";
import { startClientWorld, thrown } from "./world.ts";

const WISH = { instanceType: "8xH200", numNodes: 2, publicKeys: ["ssh-ed25519 AAAA me"] };

describe("clusters", () => {
  test("create(), list(), get(), edit() and destroy() go through a whole life", async () => {
    await using world = await startClientWorld();
    const { clusters } = world.client;
    const progress: string[] = [];
    const made = await world.run(clusters.create(WISH, { onProgress: ({ status }) => void progress.push(status) }));
    expect(made).toMatchObject({ id: expect.stringMatching(/^c-/), status: "RUNNING", numNodes: 2 });
    expect(made.name).toMatch(/^cluster-[0-9a-f]{12}$/);
    expect(made.instances?.[0]).toMatchObject({ ipAddress: expect.any(String) });
    expect(progress).toEqual(expect.arrayContaining(["creating cluster", "accepted", "RUNNING"]));
    expect(await world.run(clusters.list())).toEqual([made]);
    expect(await world.run(clusters.get(made.id))).toEqual(made);
    expect(await world.run(clusters.edit(made.id, { name: "train" }))).toMatchObject({ id: made.id, name: "train" });
    expect(await world.run(clusters.destroy("train"))).toBe("destroyed");
    expect(await world.run(clusters.destroy(made.id))).toBe("not found");
    expect(world.api.ledger().billed).toEqual([]);
    expect(await thrown(world.run(clusters.get(made.id)))).toMatchObject({ name: "ApiError", status: 404 });
  });

  test("list() shows the organization's too when includeOrg is set", async () => {
    await using world = await startClientWorld();
    const own = world.api.addCluster();
    const shared = world.api.addCluster({ owner: "organization" });
    const ids = async (includeOrg: boolean) =>
      (await world.run(world.client.clusters.list({ includeOrg }))).map(({ id }) => id);
    expect([await ids(false), await ids(true)]).toEqual([[own], [own, shared]]);
  });

  test("create() waits for capacity for as long as it is told, and no longer", async () => {
    await using world = await startClientWorld();
    const { clusters } = world.client;
    const lacking = { kind: "no-capacity", status: 409, on: "POST /cluster/create" } as const;
    world.api.addFault({ ...lacking, forSeconds: 100 });
    const made = await world.run(clusters.create({ ...WISH, capacityTimeout: "5m" }));
    expect(world.api.ledger().everBilled).toMatchObject([{ id: made.id }]);
    world.api.addFault({ ...lacking, times: "always" });
    const error = await thrown(world.run(clusters.create({ ...WISH, capacityTimeout: "2m" })));
    expect(error).toMatchObject({ name: "NoCapacityError", serverMessage: expect.stringContaining("No capacity") });
    expect((error as Error).message).not.toMatch(/pulumi/);
    expect(world.api.ledger().everBilled).toHaveLength(1);
  });

  test("create() buys once when the answer is lost", async () => {
    await using world = await startClientWorld();
    world.api.addFault({ kind: "lost-answer", on: "POST /cluster/create" });
    const made = await world.run(world.client.clusters.create(WISH));
    expect(world.count("POST /cluster/create")).toBe(1);
    expect(world.api.ledger().everBilled).toMatchObject([{ id: made.id, name: made.name }]);
    expect(await world.run(world.client.clusters.destroy(made.id))).toBe("destroyed");
  });

  test("create() refuses adopt, which only resources have", async () => {
    await using world = await startClientWorld();
    const wish = { ...WISH, adopt: world.api.addCluster() };
    expect(await thrown(world.client.clusters.create(wish))).toMatchObject({
      name: "TypeError",
      message: expect.stringContaining("get(id) reads what exists"),
    });
    expect(world.count("POST /cluster/create")).toBe(0);
  });

  test("create() names the object that has the name already, and buys nothing", async () => {
    await using world = await startClientWorld();
    const id = world.api.addCluster({ name: "train" });
    const { message } = await thrown(world.run(world.client.clusters.create({ ...WISH, name: "train" })));
    expect(message).toContain(`${id} has this name already. Give another name`);
    expect(world.count("POST /cluster/create")).toBe(0);
  });

  test("create() gives a name of its own for one that is null, so that a lost answer is found", async () => {
    await using world = await startClientWorld();
    world.api.addFault({ kind: "lost-answer", on: "POST /cluster/create" });
    const { id } = await world.run(world.client.clusters.create({ ...WISH, name: null } as never));
    expect(world.api.ledger().billed.map((one) => one.id)).toEqual([id]);
  });

  test("wait() for what no request tells of says how to go on", async () => {
    await using world = await startClientWorld();
    const { message } = await thrown(world.run(world.client.clusters.wait("c-none", { timeoutMs: 3_000 })));
    expect(message).toBe(
      'Cannot finish to create cluster "c-none": Cannot wait any longer: the time limit of 3 s has passed. The create of cluster "c-none" goes on at the server (since 2026-01-01T00:00:00.000Z), which is billed. Go on waiting with wait("c-none"), or call destroy("c-none"). A longer limit: timeoutMs',
    );
  });

  test("wait() goes on with what an aborted create has left, and nothing is bought twice", async () => {
    await using world = await startClientWorld({ operationSeconds: 600 });
    const stop = new AbortController();
    const creating = thrown(world.client.clusters.create(WISH, { signal: stop.signal }));
    await world.clock.advance(60_000);
    stop.abort();
    const error = (await world.run(creating)) as UnfinishedError;
    expect(error).toMatchObject({ name: "UnfinishedError", objectId: expect.stringMatching(/^c-/) });
    expect(error.message).toContain(`Go on waiting with wait("${error.objectId}")`);
    expect(error.message).not.toMatch(/run pulumi/i);
    const { objectId, requestIds } = error;
    expect(requestIds).toHaveLength(1);
    expect(await world.run(world.client.clusters.wait(objectId, error))).toMatchObject({ status: "RUNNING" });
    expect(world.count("POST /cluster/create")).toBe(1);
    expect(world.api.ledger().requests.filter(({ early }) => early)).toEqual([]);
  });

  test.for([
    [{ instanceType: "8H100" }, /Cannot use instanceType "8H100".*Cannot go without a key/],
    [{ ...WISH, numNodes: 0 }, /Cannot use numNodes 0/],
    [{ ...WISH, name: "" }, /Cannot use name ""/],
    [{ ...WISH, colour: "red" }, /Cannot use colour/],
  ] as const)("create() throws before anything is sent when given %j", async ([wish, words]) => {
    await using world = await startClientWorld();
    expect(await thrown(world.run(world.client.clusters.create(wish)))).toMatchObject({
      name: "TypeError",
      message: expect.stringMatching(words),
    });
    expect(world.api.ledger().requests).toEqual([]);
  });

  test("destroy() refuses a protected one without a word on pulumi", async () => {
    await using world = await startClientWorld();
    const id = world.api.addCluster({ deletion_protection: true });
    const { message } = await thrown(world.run(world.client.clusters.destroy(id)));
    expect(message).toContain(`Cannot destroy cluster ${id}: deletionProtection is on`);
    expect(message).not.toContain("pulumi");
    await world.run(world.client.clusters.edit(id, { deletionProtection: false }));
    expect(await world.run(world.client.clusters.destroy(id))).toBe("destroyed");
  });
});

describe("storage", () => {
  test("create(), edit() and destroy() go through a whole life", async () => {
    await using world = await startClientWorld();
    const { storage } = world.client;
    const { id, ...made } = await world.run(storage.create({ sizeGb: 100, name: "data" }));
    expect(made).toMatchObject({ name: "data", sizeGb: 100, status: "READY", mountPath: `/mnt/${id}` });
    expect(await world.run(storage.edit(id, { sizeGb: 200 }))).toMatchObject({ sizeGb: 200 });
    expect(await world.run(storage.destroy(id))).toBe("destroyed");
  });

  test("edit() refuses what cannot be done in place, and sends nothing", async () => {
    await using world = await startClientWorld();
    const id = world.api.addVolume({ size_gb: 100 });
    const shrink = await thrown(world.run(world.client.storage.edit(id, { sizeGb: 50 })));
    expect(shrink.message).toContain("Cannot shrink the volume from 100 GB to 50 GB");
    const unknown = await thrown(world.run(world.client.storage.edit(id, { mountPath: "/x" } as object)));
    expect(unknown.message).toContain("Cannot change mountPath of a StorageVolume");
    expect(world.count(`PATCH /storage/edit/${id}`)).toBe(0);
  });
});

test("attachments attach and detach, and do nothing where that is done already", async () => {
  await using world = await startClientWorld();
  const { attachments } = world.client;
  const ends = {
    clusterId: world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 }),
    storageId: world.api.addVolume(),
  };
  expect(await world.run(attachments.isAttached(ends))).toBe(false);
  await world.run(attachments.attach(ends));
  await world.run(attachments.attach(ends));
  expect(await world.run(attachments.isAttached(ends))).toBe(true);
  await world.run(attachments.detach(ends));
  await world.run(attachments.detach(ends));
  expect(await world.run(attachments.isAttached(ends))).toBe(false);
  expect([world.count("POST /storage/attach"), world.count("POST /storage/detach")]).toEqual([1, 1]);
  const wrong = await thrown(world.run(attachments.attach({ clusterId: "s-1", storageId: "" })));
  expect(wrong).toMatchObject({ name: "TypeError", message: expect.stringMatching(/clusterId.*storageId/) });
});

test("attach() tells how to go on waiting when the wait ends first", async () => {
  await using world = await startClientWorld({ operationSeconds: 600 });
  const ends = {
    clusterId: world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 }),
    storageId: world.api.addVolume(),
  };
  const error = await thrown(world.run(world.client.attachments.attach(ends, { timeoutMs: 60_000 })));
  const [requestId = ""] = (error as UnfinishedError).requestIds;
  expect(error.message).toContain(`Go on waiting with requests.wait("${requestId}")`);
  expect(await world.run(world.client.requests.wait(requestId))).toMatchObject({ kind: "completed" });
  expect(world.api.ledger().requests.filter(({ early }) => early)).toEqual([]);
});

test("SSH keys are listed, added and removed", async () => {
  await using world = await startClientWorld();
  const { sshKeys } = world.client;
  const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@laptop";
  const key = await world.run(sshKeys.add({ publicKey, name: "me" }));
  expect(await world.run(sshKeys.list())).toEqual([{ id: key.id, name: "me", publicKey }]);
  expect((await thrown(world.run(sshKeys.add({ publicKey })))).message).toContain(`already, as ${key.id}`);
  expect(await world.run(sshKeys.remove(key.id))).toBe("destroyed");
  expect(await world.run(sshKeys.remove(key.id))).toBe("not found");
});

test("buckets are listed, created and deleted, and a lost answer makes none fail", async () => {
  await using world = await startClientWorld();
  const { buckets } = world.client;
  expect(await thrown(world.run(buckets.list()))).toMatchObject({ name: "ApiError", status: 409 });
  const headers = { authorization: "Bearer test-key" };
  await fetch(`${world.api.url}/object-storage/enable`, { method: "POST", headers });
  world.api.addFault({ kind: "lost-answer", on: "PUT /object-storage/bucket/create/{bucket_name}" });
  await world.run(buckets.create("models"));
  expect(await world.run(buckets.list())).toEqual(["models"]);
  expect(await thrown(world.run(buckets.create("models")))).toMatchObject({ status: 409 });
  world.api.addFault({ kind: "lost-answer", on: "DELETE /object-storage/bucket/delete/{bucket_name}" });
  expect(await world.run(buckets.delete("models"))).toBe("destroyed");
  expect(await world.run(buckets.delete("models"))).toBe("not found");
});

test("quotes tell US dollars an hour", async () => {
  await using world = await startClientWorld();
  const { quotes } = world.client;
  expect(await world.run(quotes.cluster({ instanceType: "8xH200", numNodes: 2 }))).toEqual({
    hourlyUsd: expect.closeTo(47.84, 2),
  });
  expect((await world.run(quotes.storage({ sizeGb: 730 }))).hourlyUsd).toBeCloseTo(0.1, 2);
  const body = { hourly_rate: 0, currency: "usd" };
  world.api.addFault({ kind: "status", status: 200, body, on: "GET /storage/quote" });
  expect(await world.run(quotes.storage({ sizeGb: 1 }))).toEqual({ hourlyUsd: 0 });
});
