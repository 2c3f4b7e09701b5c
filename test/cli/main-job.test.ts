import { expect, test } from "vitest";
import { ALL_FOUR, openScene, type StateResource } from "./scene.ts";

test("preview needs neither key nor network", async () => {
  await using scene = await openScene(ALL_FOUR, {
    env: { TENSORPOOL_ENGINE: "http://127.0.0.1:9", TENSORPOOL_KEY: "" },
  });
  const preview = await scene.stack.preview();
  expect(preview.output).toMatch(/\+ 6 to create/);
  expect(preview.code).toBe(0);
});

test("up creates all four, up and refresh then find nothing to do, and destroy leaves nothing billed", async () => {
  await using scene = await openScene(ALL_FOUR, {
    emulator: { operationSeconds: 0.7, retryAfterSeconds: 0.5 },
  });
  const { api, stack, sent, billed, bought } = scene;
  await stack.up([], { check: true });
  expect(billed()).toEqual(await scene.tracked());
  expect(bought()).toHaveLength(2);
  const cluster = await scene.resource("train");
  expect(cluster.outputs).toMatchObject({
    status: "RUNNING",
    numNodes: 2,
    instances: [{ ipAddress: "203.0.113.1" }, {}],
  });
  const changes = sent().length;
  expect(sent()).toEqual(
    expect.arrayContaining(["POST /user/ssh-key/add", "POST /cluster/create", "POST /storage/create"]),
  );
  expect(sent().at(-1)).toBe("POST /storage/attach");

  const { deployment } = (await stack.export()) as { deployment: { resources: StateResource[] } };
  const texts = deployment.resources.flatMap(({ outputs }) => (outputs?.["__provider"] as string | undefined) ?? []);
  expect(texts).toHaveLength(5);
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(80);

  const again = await stack.up(["--expect-no-changes"], { check: true });
  expect(again.output).toMatch(/6 unchanged/);
  const refresh = await stack.refresh(["--expect-no-changes"], { check: true });
  expect(refresh.output).toMatch(/6 unchanged/);
  await stack.up(["--expect-no-changes"], { check: true });
  expect(sent(changes)).toEqual([]);

  await stack.destroy([], { check: true });
  expect(billed()).toEqual([]);
  expect(await scene.resources()).toEqual([]);
  expect(sent(changes)[0]).toBe("POST /storage/detach");

  const { requests } = api.ledger();
  expect(requests.filter(({ early }) => early)).toEqual([]);
  expect(requests.filter(({ method, status }) => method !== "GET" && status >= 300)).toEqual([]);
  for (const path of new Set(requests.map((request) => request.path))) {
    if (!path.startsWith("/request/info/")) continue;
    // An operation of 0.7 s, asked about every 0.5 s: the second answer is the last word.
    const polls = requests.filter((request) => request.path === path);
    expect(polls.length).toBeLessThanOrEqual(2);
    const endedMs = polls.at(-1)?.atMs ?? 0;
    const nextMs = requests.find(({ atMs }) => atMs > endedMs)?.atMs;
    expect((nextMs ?? 0) - endedMs).toBeLessThan(450);
  }
});
