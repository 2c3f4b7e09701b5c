import { expect, test } from "vitest";
import { openScene, PUBLIC_KEY } from "./scene.ts";

const PROGRAM = `
new Cluster("train", { instanceType: "1xH100", publicKeys });
new StorageVolume("data", { sizeGb: 100 });
`;

test("up names the cause and the next step when it cannot call the API, and buys nothing", async () => {
  await using scene = await openScene(PROGRAM);
  const cases: readonly [env: Record<string, string>, ...words: string[]][] = [
    [
      { TENSORPOOL_KEY: "" },
      "Cannot call the TensorPool API: no API key is set. Set the environment variable TENSORPOOL_KEY, or run pulumi config set --secret tensorpool:apiKey",
    ],
    [
      { TENSORPOOL_ENGINE: "engine.tensorpool.dev" },
      'Cannot call the TensorPool API at "engine.tensorpool.dev": TENSORPOOL_ENGINE (or config tensorpool:engine) must be an http or https address',
    ],
    [
      { TENSORPOOL_ENGINE: "http://127.0.0.1:9" },
      "no usable answer came",
      "ECONNREFUSED",
      "Check TENSORPOOL_ENGINE (or config tensorpool:engine) and the network, then run again",
    ],
    [
      { TENSORPOOL_KEY: "wrong-key" },
      "the API answered 401: Invalid or missing authentication token",
      "Check the API key: env TENSORPOOL_KEY, or pulumi config set --secret tensorpool:apiKey",
    ],
  ];
  for (const [env, ...words] of cases) {
    const { code, output } = await scene.stack.up([], { env });
    expect(code).not.toBe(0);
    for (const one of words) expect(output).toContain(one);
    expect(output).not.toContain("wrong-key");
  }
  expect(scene.bought()).toEqual([]);
  expect(await scene.resources()).toEqual([]);
});

test("up shows the API's own words and the next step when it refuses a create, and nothing is bought", async () => {
  await using scene = await openScene(`new Cluster("train", { instanceType: "1xH100", publicKeys });`);
  const { api, stack } = scene;
  const on = "POST /cluster/create";
  api.addFault({ kind: "status", status: 402, body: { message: "Your balance is too low" }, on });
  const poor = await stack.up();
  expect(poor.output).toContain("the API answered 402: Your balance is too low. Top up the balance");
  api.addFault({ kind: "status", status: 403, body: { detail: "Only owners may create" }, on });
  const forbidden = await stack.up();
  expect(forbidden.output).toContain("the API answered 403: Only owners may create. The API key is valid but lacks");
  api.addFault({ kind: "no-capacity", status: 409, on });
  const full = await stack.up();
  expect(full.output).toContain("the API has no capacity for it: No capacity is available at the moment");
  expect([poor.code, forbidden.code, full.code]).not.toContain(0);
  expect(scene.bought()).toEqual([]);
  expect(await scene.resources()).toEqual([]);
  await stack.up([], { check: true });
  expect(scene.sent()).toHaveLength(4);
  expect(scene.billed()).toEqual(await scene.tracked());
});

test("a FAILED create shows the API's reason and the request, and says that nothing is billed when nothing is left", async () => {
  await using scene = await openScene(`new Cluster("train", { instanceType: "1xH100", publicKeys });`);
  const { api, stack } = scene;
  api.addFault({ kind: "failed", message: "node 3 did not boot", on: "POST /cluster/create" });
  const { code, output } = await stack.up();
  expect(code).not.toBe(0);
  expect(output).toMatch(/Cannot complete request r-\w+: the API reports FAILED: node 3 did not boot\./);
  expect(output).toMatch(/The create of cluster "train-\w{14}" has left nothing behind and nothing is billed/);
  expect(scene.billed()).toEqual([]);
  expect(await scene.resources()).toEqual([]);

  api.addFault({ kind: "no-capacity", on: "POST /cluster/create" });
  expect((await stack.up()).output).toMatch(/No capacity is .* at the moment \(request r-\w+\)/);
  expect(scene.billed()).toEqual([]);
});

test("a FAILED create that left an object is tracked, said to be billed, and replaced by the next up", async () => {
  await using scene = await openScene(`new Cluster("train", { instanceType: "1xH100", publicKeys });`);
  const { api, stack } = scene;
  api.addFault({ kind: "failed", message: "node 3 did not boot", keepObject: true, on: "POST /cluster/create" });
  const { code, output } = await stack.up();
  const failed = await scene.resource("train");
  expect(code).not.toBe(0);
  expect(output).toMatch(/Cannot complete request r-\w+: the API reports FAILED: node 3 did not boot\./);
  expect(output).toContain(
    `cluster ${failed.id} is still there and may be billed. Run pulumi up to replace the cluster`,
  );
  expect(scene.billed()).toEqual([failed.id]);
  await stack.up([], { check: true });
  expect(scene.sent(1)).toEqual([`DELETE /cluster/${failed.id}`, "POST /cluster/create"]);
  expect(scene.billed()).toEqual(await scene.tracked());
  expect(scene.bought()).toHaveLength(2);
});

test("an SSH key that is registered already is an error that names its id and the adopt line, which works", async () => {
  const key = (more = ""): string => `new SshKey("me", { publicKey: "${PUBLIC_KEY}"${more} });`;
  await using scene = await openScene(key());
  const id = scene.api.addSshKey({ public_key: PUBLIC_KEY, name: "by hand" });
  const { code, output } = await scene.stack.up();
  expect(code).not.toBe(0);
  expect(output).toContain(`the API has this publicKey already, as ${id}. To use that one, add adopt: "${id}"`);
  await scene.write(key(`, adopt: "${id}"`));
  await scene.stack.up([], { check: true });
  expect(await scene.resource("me")).toMatchObject({ id, outputs: { name: "by hand" } });
  expect(scene.sent()).toEqual([]);
});
