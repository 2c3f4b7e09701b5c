import { expect, test } from "vitest";
import { ALL_FOUR, OTHER_KEY, openScene, PUBLIC_KEY } from "./scene.ts";

const cluster = (name: string, options: string): string =>
  `new Cluster("${name}", { instanceType: "1xH100", publicKeys }, { ${options} });`;

test("protect: neither destroy nor a program without it touches the object; retainOnDelete: it leaves only the state", async () => {
  await using scene = await openScene(cluster("train", "protect: true"));
  const { stack, sent, billed } = scene;
  await stack.up([], { check: true });
  const before = billed();
  const destroy = await stack.destroy();
  expect(destroy.code).not.toBe(0);
  expect(destroy.output).toContain("protected");
  await scene.write("");
  const removed = await stack.up();
  expect(removed.code).not.toBe(0);
  expect(removed.output).toContain("protected");
  expect(await scene.tracked()).toEqual(before);

  await scene.write(cluster("train", "retainOnDelete: true"));
  await stack.up([], { check: true });
  await scene.write("");
  const { output } = await stack.up([], { check: true });
  expect(output).toMatch(/cluster c-\w+ \("train-\w+"\) still exists and is billed, and this stack forgets it/);
  expect(await scene.resources()).toEqual([]);
  expect(billed()).toEqual(before);
  expect(sent()).toHaveLength(1);
});

test("ignoreChanges keeps a cluster whose SSH key is replaced beside the old one", async () => {
  // A key that is deleted first takes along whatever names it: the engine then asks for no ignoreChanges.
  const program = ALL_FOUR.replace("sshKeyId: key.id }", 'sshKeyId: key.id }, { ignoreChanges: ["sshKeyId"] }').replace(
    `"${PUBLIC_KEY}" }`,
    `"${PUBLIC_KEY}" }, { deleteBeforeReplace: false }`,
  );
  await using scene = await openScene(program);
  const { stack, sent } = scene;
  await stack.up([], { check: true });
  const changes = sent().length;
  const key = await scene.resource("me");
  await scene.write(program.replace(PUBLIC_KEY, OTHER_KEY));
  await stack.up([], { check: true });
  expect(sent(changes)).toEqual(["POST /user/ssh-key/add", `DELETE /user/ssh-key/remove/${key.id}`]);
  await stack.up(["--expect-no-changes"], { check: true });
  await stack.refresh([], { check: true });
  await stack.up(["--expect-no-changes"], { check: true });
});

test("aliases and a new parent keep the object under its new names", async () => {
  await using scene = await openScene(cluster("train", ""));
  const { stack, sent, billed } = scene;
  await stack.up([], { check: true });
  const old = await scene.resource("train");
  await scene.write(cluster("nodes", 'aliases: [{ name: "train" }]'));
  await stack.up([], { check: true });
  const renamed = await scene.resource("nodes");
  expect(renamed).toMatchObject({ id: old.id, outputs: { name: old.outputs?.["name"] } });
  await scene.write(`
    class Training extends pulumi.ComponentResource {
      constructor(name) {
        super("example:Training", name);
        ${cluster("nodes", "parent: this, aliases: [{ parent: pulumi.rootStackResource }]")}
        this.registerOutputs({});
      }
    }
    new Training("training");
  `);
  await stack.up([], { check: true });
  expect((await scene.resource("nodes")).urn).toContain("example:Training$");
  await stack.refresh([], { check: true });
  await stack.up(["--expect-no-changes"], { check: true });
  expect(billed()).toEqual([old.id]);
  expect(sent()).toHaveLength(1);
  // A forced replacement makes the name anew, from the URN as it is now, and still takes the old one away first.
  await stack.up(["--replace", (await scene.resource("nodes")).urn], { check: true });
  expect(sent(1)).toEqual([`DELETE /cluster/${old.id}`, "POST /cluster/create"]);
  expect(billed()).toEqual(await scene.tracked());
});

test("dependsOn: a volume that depends on a cluster is bought when the cluster runs, and destroyed before it", async () => {
  await using scene = await openScene(`
    const train = ${cluster("train", "")}
    new StorageVolume("data", { sizeGb: 1 }, { dependsOn: train });
  `);
  await scene.stack.up([], { check: true });
  const { requests } = scene.api.ledger();
  const ready = requests.findLastIndex(({ path }) => path.startsWith("/cluster/info/"));
  expect(requests.findIndex(({ path }) => path === "/storage/create")).toBeGreaterThan(ready);
  await scene.stack.destroy([], { check: true });
  const [first, second] = scene.sent(2);
  expect([first, second]).toEqual([expect.stringMatching(/^DELETE \/storage/), expect.stringMatching(/^DELETE \/cl/)]);
});

test("deleteBeforeReplace: false buys the new cluster beside the old one, under a name of its own", async () => {
  await using scene = await openScene(cluster("train", "deleteBeforeReplace: false"));
  const { stack, sent, billed, bought } = scene;
  await stack.up([], { check: true });
  const old = await scene.resource("train");
  await scene.write(cluster("train", "deleteBeforeReplace: false").replace("1xH100", "2xH100"));
  await stack.up([], { check: true });
  expect(sent(1)).toEqual(["POST /cluster/create", `DELETE /cluster/${old.id}`]);
  expect((await scene.resource("train")).outputs?.["name"]).not.toBe(old.outputs?.["name"]);
  expect(billed()).toEqual(await scene.tracked());
  expect(bought()).toHaveLength(2);

  // Forced: nothing tells the old one from an orphan, so it stops and says what it has found.
  const { urn, id } = await scene.resource("train");
  const forced = await stack.up(["--replace", urn]);
  expect(forced.code).not.toBe(0);
  expect(forced.output).toContain(`${id} has this name already`);
  expect(billed()).toEqual([id]);
});

test(".get in another stack reads and changes nothing, and an unknown id is an error", async () => {
  await using owner = await openScene(ALL_FOUR);
  await owner.stack.up([], { check: true });
  const ids = await Promise.all(["me", "train", "data", "data-on-train"].map(async (name) => owner.resource(name)));
  const [key, train, data, both] = ids.map(({ id }) => id ?? "");
  await using reader = await openScene(
    `
    SshKey.get("me", "${key}");
    export const status = Cluster.get("train", "${train}").status;
    export const path = StorageVolume.get("data", "${data}").mountPath;
    export const clusterId = StorageAttachment.get("both", "${both}").clusterId;
  `,
    { api: owner.api },
  );
  const before = owner.sent().length;
  await reader.stack.up([], { check: true });
  const outputs = await reader.stack.run(["stack", "output", "--json"], { check: true });
  expect(JSON.parse(outputs.stdout)).toEqual({ status: "RUNNING", path: `/mnt/${data}`, clusterId: train });
  await reader.stack.up(["--expect-no-changes"], { check: true });
  await reader.stack.refresh([], { check: true });
  await reader.stack.destroy([], { check: true });
  await reader.write('Cluster.get("train", "c-unknown");');
  const missing = await reader.stack.up();
  expect(missing.code).not.toBe(0);
  expect(missing.output).toContain('Cannot get cluster "c-unknown": the API knows no such id');
  expect(owner.sent(before)).toEqual([]);
});
