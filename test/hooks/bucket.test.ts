import { expect, test } from "vitest";
import { KEY, type Kept } from "./process.ts";
import { startWorld, type World } from "./world.ts";

const ENABLED = { objectStorage: true } as const;
const changes = (world: World): string[] => world.requests().filter((request) => !request.startsWith("GET "));
const make = (world: World, args = {}, name = "models"): Promise<Kept> =>
  world.run(world.start().make("bucket", name, args));

test("a bucket is made, read, unchanged, and deleted", async () => {
  await using world = await startWorld(ENABLED);
  const made = await make(world);
  expect(made.id).toMatch(/^models-[0-9a-f]{14}$/);
  expect(made).toMatchObject({ reasons: [], outputs: { name: made.id } });
  expect(await world.run(world.start().again(made))).toMatchObject({ kind: "same" });
  expect(await world.run(world.start().refresh(made))).toEqual(made);
  await world.run(world.start().destroy(made));
  expect(changes(world)).toEqual([
    `PUT /object-storage/bucket/create/${made.id}`,
    `DELETE /object-storage/bucket/delete/${made.id}`,
  ]);
});

test("object storage that is not enabled is said to be so, and is not enabled by this package", async () => {
  await using world = await startWorld();
  await expect(make(world)).rejects.toThrow(
    /answered 409: Object storage is not enabled\. If object storage is not enabled for the organization, enable it once, .* then run again/,
  );
  expect(changes(world)).toEqual([]);
});

test("a bucket that is not empty is neither deleted nor replaced", async () => {
  await using world = await startWorld(ENABLED);
  const made = await make(world);
  world.api.addBucket({ name: made.id, objects: 3 });
  const refused = /is not empty\. Only an empty bucket can be deleted, .*empty "models-\w{14}" with an S3 client/;
  await expect(world.run(world.start().destroy(made))).rejects.toThrow(refused);
  await expect(world.run(world.start().again(made, { name: "other" }))).rejects.toThrow(refused);
  world.api.addBucket({ name: made.id });
  const { kind, kept } = await world.run(world.start().again(made, { name: "other" }));
  expect([kind, kept.id]).toEqual(["replace", "other"]);
});

test("what an interrupted run has made is found by its own name and not made twice", async () => {
  await using world = await startWorld(ENABLED);
  const lost = await make(world);
  expect(await make(world)).toEqual(lost);
  expect(changes(world)).toHaveLength(1);
  expect(world.lines.map(({ message }) => message)).toContain(
    `took over bucket ${lost.id} instead of creating a second one`,
  );
});

test("what an interrupted run has made is kept, and replaced by the next up, when the program has named it since", async () => {
  await using world = await startWorld(ENABLED);
  const lost = await make(world);
  const found = await make(world, { name: "weights" });
  expect(found).toMatchObject({ id: lost.id, reasons: [expect.stringContaining('its name is not "weights"')] });
  const { kind, kept } = await world.run(world.start().again(found));
  expect(kind).toBe("replace");
  expect(kept).toMatchObject({ id: "weights", reasons: [] });
  await world.run(world.start().destroy(kept));
  expect(await world.run(world.start().refresh(lost))).toBeUndefined();
});

test("a name that the program chose is not taken over, unless it is adopted", async () => {
  await using world = await startWorld(ENABLED);
  const id = world.api.addBucket({ name: "weights", objects: 2 });
  await expect(make(world, { name: id })).rejects.toThrow(/there is one of this name already.*add adopt: "weights"/);
  const adopted = await make(world, { adopt: id });
  expect(adopted).toMatchObject({ id, reasons: [], outputs: { name: id } });
  expect(await world.run(world.start().again(adopted, {}))).toMatchObject({ kind: "update", kept: { id } });
  expect(await make(world, { adopt: id, name: id })).toMatchObject({ id });
  await expect(make(world, { adopt: id, name: "other" })).rejects.toThrow(
    /Cannot adopt bucket "weights" as "other": a bucket cannot be renamed. Correct name/,
  );
  await expect(make(world, { adopt: "none" })).rejects.toThrow(
    /Cannot adopt bucket "none": there is none. Nothing was/,
  );
  expect(changes(world)).toEqual([]);
});

test("a replacement beside the old one never takes the old one over", async () => {
  await using world = await startWorld(ENABLED);
  const old = await make(world, { __side: true });
  await expect(make(world, { __side: true })).rejects.toThrow(/there is one of this name already/);
  expect(changes(world)).toEqual([`PUT /object-storage/bucket/create/${old.id}`]);
});

test("two resources of one name: one has it, the other is told, though its own create was lost", async () => {
  await using world = await startWorld(ENABLED);
  const up = world.start();
  world.api.addFault({ kind: "reset", on: "PUT /object-storage/bucket/create/{}", times: 1 });
  const both = await world.run(
    Promise.allSettled(["one", "two"].map((name) => up.make("bucket", name, { name: "weights" }))),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a bucket that another resource of the same run has adopted is not deleted", async () => {
  await using world = await startWorld(ENABLED);
  const old = await make(world, { name: "weights" });
  const up = world.start();
  const moved = await world.run(up.make("bucket", "new", { adopt: "weights" }));
  await world.run(up.destroy(old));
  expect(await world.run(world.start().refresh(moved))).toMatchObject({ id: "weights" });
});

test("a bucket is not gone for another account's key, and is when its own does not see it", async () => {
  await using world = await startWorld({ ...ENABLED, keys: [KEY, "other-key"] });
  const made = await make(world);
  const other = { env: { TENSORPOOL_KEY: "other-key" } };
  for (const verb of ["refresh", "destroy"] as const) {
    await expect(world.run(Promise.resolve(world.start(other)[verb](made)))).rejects.toThrow(
      /TENSORPOOL_KEY is not the key/,
    );
  }
  await world.run(world.start().destroy(made));
  expect(await world.run(world.start().refresh(made))).toBeUndefined();
});

test("get reads a bucket by its name, and says which is missing", async () => {
  await using world = await startWorld(ENABLED);
  world.api.addBucket({ name: "weights" });
  const got = await world.run(world.start().get("bucket", "theirs", "weights"));
  expect(got.outputs).toMatchObject({ name: "weights" });
  await expect(world.run(world.start().get("bucket", "theirs", "none"))).rejects.toThrow('Cannot get bucket "none"');
});

test("a refresh of 50 buckets shares its lists", async () => {
  await using world = await startWorld(ENABLED);
  const up = world.start();
  const names = Array.from({ length: 50 }, (_, index) => `bucket-${index}`);
  const all = await world.run(Promise.all(names.map((name) => up.make("bucket", name, { name }))));
  world.requests();
  await world.run(Promise.all(all.map((one) => up.refresh(one))));
  expect(world.requests().length).toBeLessThanOrEqual(2);
});

test.for([[".."], [""], ["a\nb"], [7]])("check refuses the name %j", async ([name]) => {
  await using world = await startWorld();
  const { failures } = await world.start().check("bucket", "models", { name });
  expect(failures).toMatchObject([{ property: "name", reason: expect.stringMatching(/^Cannot use name/) }]);
});
