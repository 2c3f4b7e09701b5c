import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

const PROGRAM = `
import { estimateCost } from "pulumi-tensorpool";
const train = new Cluster("train", { instanceType: "8xH200", numNodes: 2, publicKeys });
new StorageVolume("data", { sizeGb: 730 });
const sized = new StorageVolume("sized", { sizeGb: train.id.apply((id) => id.length) });
const cost = estimateCost(CAP);
export const hourlyUsd = cost.hourlyUsd;
export const names = cost.breakdown.apply((all) => all.map(({ name }) => name));
export const quoted = train.hourlyUsd;
`;
const ROUTES = ["GET /cluster/quote", "GET /storage/quote"];

test("estimateCost() tells the total in preview and up, exports it, and lets nothing through a cap", async () => {
  await using scene = await openScene(PROGRAM.replace("CAP", "{ maxHourlyUsd: 40 }"));
  const { stack, sent } = scene;
  const capped = await stack.preview();
  expect(capped.code).not.toBe(0);
  expect(capped.output).toContain(
    "Cannot stay within maxHourlyUsd 40: the program's resources cost 47.94 USD an hour, 34996.20 USD a month",
  );
  expect(capped.output).not.toContain("    at ");
  expect(sent()).toEqual([]);

  await scene.write(PROGRAM.replace("CAP", ""));
  const preview = await stack.preview(["--debug"], { check: true });
  expect(preview.output).toContain(
    "Estimated cost: 47.94 USD an hour, 34996.20 USD a month (2 of 3 resources; not in it: sized: its arguments are not known yet)",
  );
  expect(preview.output).toContain("Estimated cost of train: 47.84 USD an hour");
  expect(sent()).toEqual([]);
  const up = await stack.up([], { check: true });
  const told = up.output
    .split("\n")
    .filter((line) => line.includes("Estimated cost: 47.94") && line.includes("(3 resources)"));
  expect(told.length).toBeGreaterThan(0);
  const outputs = await stack.run(["stack", "output", "--json"], { check: true });
  expect(JSON.parse(outputs.stdout)).toEqual({
    hourlyUsd: expect.closeTo(47.94, 1),
    names: ["train", "data", "sized"],
    quoted: 47.84,
  });
  const again = await stack.preview(["--expect-no-changes"], { check: true });
  expect(again.output).toContain("Estimated cost: 47.94");
});

test("a cap stands in the way of nothing that ends a bill, and of all that would raise it", async () => {
  const program = (sizeGb: number, cap: string) => `
import { estimateCost } from "pulumi-tensorpool";
new Cluster("train", { instanceType: "8xH200", numNodes: 2, publicKeys });
new StorageVolume("data", { sizeGb: ${sizeGb} });
estimateCost({ ${cap} });
`;
  await using scene = await openScene(program(500, "maxHourlyUsd: 60"));
  const { stack } = scene;
  await stack.up([], { check: true });
  await scene.write(program(500, "maxHourlyUsd: 40"));
  const preview = await stack.preview(["--expect-no-changes"], { check: true });
  expect(preview.output).toContain(
    "warning: maxHourlyUsd 40 of estimateCost is exceeded: the program's resources cost 47.91 USD an hour",
  );
  await scene.write(program(600, "maxHourlyUsd: 40"));
  const growing = await stack.preview();
  expect(growing.code).not.toBe(0);
  expect(growing.output).toContain("Cannot stay within maxHourlyUsd 40");
  // The engine deletes what has left the program only when the program has ended well.
  await scene.write(program(500, "maxHourlyUsd: 0.01").replace(/new Cluster.*/, ""));
  await stack.up([], { check: true });
  expect(scene.billed()).toHaveLength(1);
  // A destroy creates nothing of what only the program has.
  const more = 'new Cluster("more", { instanceType: "1xH100", publicKeys });';
  await scene.write(program(500, "maxHourlyUsd: 0.01") + more);
  await stack.destroy(["--run-program"], { check: true });
  expect(scene.billed()).toEqual([]);
});

test("a resource over its cap buys nothing, also with --skip-preview, and a preview warns of it alone", async () => {
  const over = `
import { estimateCost } from "pulumi-tensorpool";
const args = { instanceType: "8xH200", numNodes: 2, publicKeys };
new Cluster("train", { ...args, maxHourlyUsd: 40 });
estimateCost();
`;
  await using scene = await openScene(`${over}
new Cluster("cheap", { ...args, maxHourlyUsd: 50 });
new Cluster("taken", { ...args, maxHourlyUsd: 40, adopt: "c-1" });
`);
  const preview = await scene.stack.preview([], { check: true });
  const diagnostics = preview.output.slice(preview.output.indexOf("Diagnostics:"));
  expect(diagnostics.match(/warning: .*/g)).toEqual([
    "warning: up will refuse to buy this: it would cost 47.84 USD an hour, and its maxHourlyUsd is 40",
  ]);
  await scene.write(over);
  const run = await scene.stack.up(["--skip-preview"]);
  expect(run.code).not.toBe(0);
  expect(run.output).toMatch(
    /Cannot create cluster "train-.*": it would cost 47.84 USD an hour, and its maxHourlyUsd is 40/,
  );
  expect([scene.sent(), scene.bought()]).toEqual([[], []]);
});

test("a replacement over its cap leaves the old cluster alone", async () => {
  const program = (numNodes: number) => `
const train = new Cluster("train", { instanceType: "8xH200", numNodes: ${numNodes}, publicKeys, maxHourlyUsd: 60 });
const data = new StorageVolume("data", { sizeGb: 500 });
new StorageAttachment("data-on-train", { clusterId: train.id, storageId: data.id });
`;
  await using scene = await openScene(program(2));
  await scene.stack.up([], { check: true });
  const before = await scene.tracked();
  await scene.write(program(4));
  const run = await scene.stack.up();
  expect(run.code).not.toBe(0);
  expect(run.output).toMatch(/Cannot replace cluster "train-\w+": it would cost 95.68 USD an hour/);
  await scene.write(program(2));
  await scene.stack.up([], { check: true });
  expect([await scene.tracked(), scene.billed(), scene.bought().length]).toEqual([before, before, 2]);
});

test("quotes that are not to be had hold nothing up and are told once", async () => {
  await using scene = await openScene(PROGRAM.replace("CAP", "{ maxHourlyUsd: 40 }"), {
    emulator: { without: ROUTES },
  });
  const up = await scene.stack.up([], { check: true });
  const diagnostics = up.output.slice(up.output.indexOf("Diagnostics:"));
  expect(diagnostics.match(/Estimated cost:.*/g)).toEqual([
    expect.stringMatching(
      /^Estimated cost: 0.0000 USD an hour, 0.0000 USD a month \(0 of 3 resources; not in it: train, data, sized: the API gives no quote \(it answers 404\)\)$/,
    ),
  ]);
  expect(scene.bought()).toHaveLength(3);
  const outputs = await scene.stack.run(["stack", "output", "--json"], { check: true });
  expect(JSON.parse(outputs.stdout)).not.toHaveProperty("quoted");
});
