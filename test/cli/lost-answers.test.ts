import { expect, test } from "vitest";
import { ALL_FOUR, openScene } from "./scene.ts";

const NAMED = `
new Cluster("train", { instanceType: "1xH100", publicKeys, name: "nodes" });
new StorageVolume("data", { sizeGb: 100, name: "corpus" });
`;

test("an answer that is lost after the API has acted buys nothing a second time", async () => {
  await using scene = await openScene(ALL_FOUR);
  const { api, stack, bought, sent } = scene;
  api.addFault({ kind: "lost-answer", on: "POST /user/ssh-key/add" });
  api.addFault({ kind: "lost-answer", on: "POST /cluster/create" });
  api.addFault({ kind: "acted-status", status: 500, on: "POST /storage/create" });
  api.addFault({ kind: "acted-status", status: 502, on: "POST /storage/attach" });
  const { output } = await stack.up([], { check: true });
  expect(output).toContain("took over cluster");
  expect(output).toContain("took over storage volume");
  expect(bought()).toHaveLength(2);
  expect(sent()).toHaveLength(4);
  expect(await scene.tracked()).toEqual(scene.billed());
  await stack.up(["--expect-no-changes"], { check: true });
  api.addFault({ kind: "lost-answer", on: "POST /storage/detach" });
  api.addFault({ kind: "acted-status", status: 500, on: "DELETE /cluster/{}" });
  api.addFault({ kind: "lost-answer", on: "DELETE /storage/{}" });
  await stack.destroy([], { check: true });
  expect(scene.billed()).toEqual([]);
});

test("within one process a lost answer is found also under a name of the program's own", async () => {
  await using scene = await openScene(NAMED);
  const { api, stack, bought } = scene;
  api.addFault({ kind: "lost-answer", on: "POST /cluster/create" });
  api.addFault({ kind: "broken-json", on: "POST /storage/create" });
  await stack.up([], { check: true });
  expect(bought()).toHaveLength(2);
  expect(await scene.tracked()).toEqual(scene.billed());
});
