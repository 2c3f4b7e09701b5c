import { expect, test } from "vitest";
import { killNow, until } from "./crash.ts";
import { openScene, type Scene, sorted } from "./scene.ts";

const TWO = `
new Cluster("train", { instanceType: "1xH100", publicKeys });
new StorageVolume("data", { sizeGb: 100 });
`;

/** Runs a command, interrupts it `times` times once `isTime`, and returns what it prints and how long its end took. */
async function interrupted(
  { stack }: Scene,
  args: readonly string[],
  isTime: () => boolean,
): Promise<{ output: string; code: number | null; tookMs: number }> {
  const command = stack.spawn(args);
  await until(isTime);
  const sinceMs = performance.now();
  command.interrupt();
  const { output, code } = await command.done;
  return { output, code, tookMs: Math.round(performance.now() - sinceMs) };
}

test("Ctrl-C while creates wait keeps ids and requests, says what to type, and the next up goes on", async () => {
  await using scene = await openScene(TWO, { emulator: { operationSeconds: 8 } });
  const { api, stack, sent, bought } = scene;
  const { output, code, tookMs } = await interrupted(scene, ["up"], () => bought().length === 2);
  expect(code).not.toBe(0);
  expect(tookMs).toBeLessThan(5_000);
  expect(output).toContain("Cannot wait any longer: it was cancelled");
  expect(output).toMatch(
    /The create of cluster "train-\w{14}" \(c-\w+\) goes on at the server \(request r-\w+, since 2\d{3}-/,
  );
  expect(output).toContain("Run pulumi up to go on waiting");
  const kept = await scene.resources();
  expect(sorted(kept.map(({ id }) => id))).toEqual(scene.billed());
  for (const { initErrors, outputs } of kept) {
    expect(initErrors).toHaveLength(1);
    expect(outputs?.["__pending"]).toMatchObject({ requestIds: [outputs?.["requestId"]] });
  }
  // A refresh makes the engine forget its init errors; the outputs know.
  await stack.refresh([], { check: true });
  expect((await scene.resources()).map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
  const preview = await stack.preview([], { check: true });
  expect(preview.output).toMatch(/~ 2 to update/);
  await stack.up([], { check: true });
  expect(sent().sort()).toEqual(["POST /cluster/create", "POST /storage/create"]);
  expect((await scene.resource("train")).outputs).toMatchObject({ status: "RUNNING" });
  expect((await scene.resource("train")).outputs).not.toHaveProperty("__pending");
  await stack.up(["--expect-no-changes"], { check: true });
  expect(api.ledger().requests.filter(({ early }) => early)).toEqual([]);
});

test("after Ctrl-C the user may destroy instead: nothing is left", async () => {
  await using scene = await openScene(TWO, { emulator: { operationSeconds: 3 } });
  await interrupted(scene, ["up"], () => scene.bought().length === 2);
  await scene.stack.destroy([], { check: true });
  expect(scene.billed()).toEqual([]);
  expect(await scene.resources()).toEqual([]);
  expect(scene.bought()).toHaveLength(2);
});

test("a second Ctrl-C loses nothing: the next up takes over what was bought", async () => {
  await using scene = await openScene(TWO, { emulator: { operationSeconds: 4 } });
  const { stack, bought, sent } = scene;
  const up = stack.spawn(["up"]);
  await until(() => bought().length === 2);
  up.interrupt();
  up.interrupt();
  const { code } = await up.done;
  expect(code).not.toBe(0);
  await stack.cancel();
  await stack.up([], { check: true });
  expect(sent().sort()).toEqual(["POST /cluster/create", "POST /storage/create"]);
  expect(await scene.tracked()).toEqual(scene.billed());
});

test("Ctrl-C while 20 creates wait: the CLI ends at once, and every id and request is kept", async () => {
  const many = Array.from({ length: 20 }, (_, n) => `new StorageVolume("v${n}", { sizeGb: 1 });`).join("\n");
  await using scene = await openScene(many, { emulator: { operationSeconds: 20, retryAfterSeconds: 2 } });
  const { stack, bought, sent } = scene;
  const { tookMs } = await interrupted(scene, ["up", "--parallel", "32"], () => bought().length === 20);
  console.log(`Ctrl-C while 20 creates wait: the CLI ended ${tookMs} ms later`);
  expect(tookMs).toBeLessThan(5_000);
  expect(await scene.tracked()).toEqual(scene.billed());
  await stack.up(["--parallel", "32"], { check: true });
  expect(sent()).toHaveLength(20);
  expect(await scene.tracked()).toEqual(scene.billed());
});

test("Ctrl-C during an edit, a destroy and an attach: each goes on in the next run and is sent once", async () => {
  const program = (sizeGb: number): string => `
    const cluster = new Cluster("train", { instanceType: "8xH200", numNodes: 2, publicKeys });
    const data = new StorageVolume("data", { sizeGb: ${sizeGb} });
    new StorageAttachment("both", { clusterId: cluster.id, storageId: data.id });
  `;
  await using scene = await openScene(program(100));
  const { api, stack, sent } = scene;
  const isSent = (path: string) => () => sent().includes(path);
  const slowly = (on: string): void => api.addFault({ kind: "takes", seconds: 4, on });

  slowly("POST /storage/attach");
  await interrupted(scene, ["up"], isSent("POST /storage/attach"));
  await stack.up([], { check: true });
  const [cluster, data] = [await scene.resource("train"), await scene.resource("data")];

  await scene.write(program(200));
  slowly("PATCH /storage/edit/{}");
  await interrupted(scene, ["up"], isSent(`PATCH /storage/edit/${data.id}`));
  await stack.up([], { check: true });
  expect((await scene.resource("data")).outputs).toMatchObject({ sizeGb: 200 });

  slowly("POST /storage/detach");
  await interrupted(scene, ["destroy"], isSent("POST /storage/detach"));
  slowly("DELETE /cluster/{}");
  const stopped = await interrupted(scene, ["destroy"], isSent(`DELETE /cluster/${cluster.id}`));
  expect(stopped.output).toContain("The destroy was accepted and goes on at the server. Run the command again");
  await stack.destroy([], { check: true });
  expect(scene.billed()).toEqual([]);
  for (const path of ["POST /storage/attach", "POST /storage/detach", `DELETE /cluster/${cluster.id}`]) {
    expect(sent().filter((one) => one === path)).toHaveLength(1);
  }
});

test("a CLI that is killed after Ctrl-C leaves no more than a lock", async () => {
  await using scene = await openScene(TWO, { emulator: { operationSeconds: 3 } });
  const up = scene.stack.spawn(["up"]);
  await until(() => scene.bought().length === 2);
  up.interrupt();
  await killNow(up, "both");
  await scene.stack.cancel();
  await scene.stack.up([], { check: true });
  expect(scene.bought()).toHaveLength(2);
  expect(await scene.tracked()).toEqual(scene.billed());
});
