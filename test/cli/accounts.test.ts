import { expect, test } from "vitest";
import { startEmulator } from "../emulator/index.ts";
import { killNow, until } from "./crash.ts";
import { ALL_FOUR, openScene } from "./scene.ts";

const TWO = `
new Cluster("train", { instanceType: "1xH100", publicKeys });
new StorageVolume("data", { sizeGb: 100 });
`;

test("two stacks of one name in two backends on one account never touch each other's objects", async () => {
  await using api = await startEmulator({ operationSeconds: 2, retryAfterSeconds: 0.2 });
  await using one = await openScene(TWO, { api, name: "prod" });
  await using other = await openScene(TWO, { api, name: "prod" });
  // The first one has crashed, so its objects lie there as orphans when the second one looks.
  const crashed = one.stack.spawn(["up"]);
  await until(() => one.bought().length === 2);
  await killNow(crashed, "both");
  const ofOne = [...one.bought()].sort();
  await other.stack.up([], { check: true });
  expect(one.bought()).toHaveLength(4);
  await one.stack.cancel();
  await one.stack.up([], { check: true });
  expect(await one.tracked()).toEqual(ofOne);
  expect(one.bought()).toHaveLength(4);
  await one.stack.destroy([], { check: true });
  expect(await other.tracked()).toEqual(
    api
      .ledger()
      .billed.map(({ id }) => id)
      .sort(),
  );
  await other.stack.refresh(["--expect-no-changes"], { check: true });
});

test("another account's key neither empties the state on refresh nor lets a destroy succeed", async () => {
  await using scene = await openScene(ALL_FOUR, {
    emulator: {
      keys: ["test-key", { key: "rotated", account: "test-key" }, { key: "other", account: "another account" }],
    },
  });
  const { stack, sent, billed } = scene;
  await stack.up([], { check: true });
  const [state, before, changes] = [await scene.resources(), billed(), sent().length];
  const env = { TENSORPOOL_KEY: "other" };
  for (const verb of ["refresh", "destroy"] as const) {
    const run = await stack[verb]([], { env });
    expect(run.code).not.toBe(0);
    expect(run.output).toContain("TENSORPOOL_KEY is not the key that it was last seen with");
  }
  for (const { urn } of state) {
    for (const verb of ["refresh", "destroy"] as const) {
      const run = await stack[verb](["--target", urn, ...(verb === "destroy" ? ["--target-dependents"] : [])], { env });
      expect({ urn, verb, code: run.code }).not.toMatchObject({ code: 0 });
    }
  }
  expect((await scene.resources()).map(({ urn, id }) => [urn, id])).toEqual(state.map(({ urn, id }) => [urn, id]));
  expect(sent(changes)).toEqual([]);
  expect(billed()).toEqual(before);

  // A new key of the same account sees it all, and is remembered.
  await stack.refresh([], { check: true, env: { TENSORPOOL_KEY: "rotated" } });
  await stack.up(["--expect-no-changes"], { check: true, env: { TENSORPOOL_KEY: "rotated" } });
  await stack.destroy([], { check: true, env: { TENSORPOOL_KEY: "rotated" } });
  expect(billed()).toEqual([]);
});
