import { expect, test } from "vitest";
import { killNow, until } from "./crash.ts";
import { openScene, type Scene } from "./scene.ts";

const FIVE = ["one", "two", "three", "four", "five"];
const PROGRAM = FIVE.map(
  (name) => `new Cluster("${name}", { instanceType: "1xH100", publicKeys, capacityTimeout: "30m" });`,
).join("\n");
const CREATE = "POST /cluster/create";

/** How often a create was sent. */
const tries = ({ sent }: Scene): number => sent().filter((one) => one === CREATE).length;

test("5 clusters that wait for capacity survive a Ctrl-C and a kill -9: lost 0, bought twice 0", async () => {
  await using scene = await openScene(PROGRAM);
  const { api, stack, bought } = scene;
  api.addFault({ kind: "no-capacity", status: 409, times: "always", on: CREATE });

  const first = stack.spawn(["up"]);
  await until(() => tries(scene) === 5);
  first.interrupt();
  const { output, code } = await first.done;
  expect(code).not.toBe(0);
  expect(output).toMatch(/Cannot create cluster "one-\w+": the API has no capacity for it: .*Nothing is billed/);
  expect(output).toContain("The wait for it was cancelled. Run pulumi up to go on waiting for capacity");
  expect(bought()).toEqual([]);

  const second = stack.spawn(["up"]);
  await until(() => tries(scene) === 10);
  await killNow(second, "both");
  await stack.cancel();
  expect(bought()).toEqual([]);

  // There is capacity from the second try on.
  api.clearFaults();
  api.addFault({ kind: "no-capacity", status: 409, times: 5, on: CREATE });
  await stack.up([], { check: true });
  expect(tries(scene)).toBe(20);
  expect(bought()).toHaveLength(5);
  expect(await scene.tracked()).toEqual(scene.billed());
  await stack.destroy([], { check: true });
  expect(scene.billed()).toEqual([]);
});

test("what creates without capacity leave FAILED is neither lost nor doubled by a kill -9", async () => {
  await using scene = await openScene(PROGRAM);
  const { api, stack } = scene;
  api.addFault({ kind: "no-capacity", keepObject: true, times: "always", on: CREATE });
  const up = stack.spawn(["up"]);
  await until(() => tries(scene) === 5 && scene.sent().some((one) => one.startsWith("DELETE")));
  await killNow(up, "both");
  await stack.cancel();
  api.clearFaults();
  // What is still there, and FAILED, is taken over by one run and replaced by the next. A run that has taken one over ends
  // before it begins with those that it has not come to.
  for (let runs = 1; (await stack.up()).code !== 0; runs += 1) expect(runs).toBeLessThanOrEqual(FIVE.length);
  expect(await scene.tracked()).toEqual(scene.billed());
  expect(scene.billed()).toHaveLength(5);
  await stack.destroy([], { check: true });
  expect(scene.billed()).toEqual([]);
});
