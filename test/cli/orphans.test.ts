import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runTensorpool } from "./command.ts";
import { killNow, until } from "./crash.ts";
import { openScene } from "./scene.ts";

test("orphans knows what a killed create has bought, names it once nothing else does, and its way out works", async () => {
  await using scene = await openScene('new Cluster("train", { instanceType: "1xH100", publicKeys });');
  const { stack, bought, billed } = scene;
  const orphans = async (): ReturnType<typeof runTensorpool> => {
    await stack.run(["stack", "export", "--file", "state.json"], { check: true });
    return runTensorpool(stack, ["orphans", "--stack-export", "state.json"]);
  };
  // With nothing at all in the state, the Seed included.
  expect(await orphans()).toMatchObject({ code: 0, stdout: "no orphans (0 billed, 1 state)\n" });
  const up = stack.spawn(["up"]);
  await until(() => bought().length === 1);
  await killNow(up, "both");
  await stack.cancel();
  const [id = ""] = bought();

  const killed = await orphans();
  expect(killed.stdout).toMatch(new RegExp(`^cluster ${id} is of an interrupted create of urn:pulumi:\\S+::train: `));
  expect(killed.code).toBe(0);

  await stack.refresh(["--clear-pending-creates"], { check: true });
  const lost = await orphans();
  expect(lost.code).toBe(1);
  expect(lost.stdout).toMatch(
    new RegExp(`^cluster ${id} "train-\\w{14}": 1 x 1xH100, RUNNING since \\S+, 1.99 USD an hour`),
  );

  const [, command = ""] = /to destroy it: (.*)/.exec(lost.stdout) ?? [];
  await promisify(execFile)("sh", ["-c", command], { cwd: stack.folder, env: stack.env });
  expect(billed()).toEqual([]);
  expect((await orphans()).code).toBe(0);
});
