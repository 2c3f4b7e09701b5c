import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

const TWO = `
new Cluster("train", { instanceType: "1xH100", publicKeys });
new StorageVolume("data", { sizeGb: 100 });
`;

test("--target: the first one of a stack needs the Seed beside it, which the error names; later ones do not", async () => {
  await using scene = await openScene(TWO);
  const { stack, sent } = scene;
  const urn = (type: string, name: string): string =>
    `urn:pulumi:${stack.name}::program::pulumi-nodejs:dynamic/tensorpool:${type}::${name}`;
  const [train, data, seed] = [urn("Cluster", "train"), urn("StorageVolume", "data"), urn("Seed", "tensorpool-seed")];
  const alone = await stack.up(["--target", train]);
  expect(alone.code).not.toBe(0);
  expect(alone.output).toContain(seed);
  expect(sent()).toEqual([]);
  await stack.up(["--target", train, "--target", seed], { check: true });
  expect(sent()).toEqual(["POST /cluster/create"]);
  await stack.up(["--target", data], { check: true });
  expect(sent(1)).toEqual(["POST /storage/create"]);
  await stack.up(["--expect-no-changes"], { check: true });
  await stack.refresh(["--target", data], { check: true });
  await stack.destroy(["--target", train], { check: true });
  expect(await scene.tracked()).toEqual(scene.billed());
  expect(scene.billed()).toEqual([(await scene.resource("data")).id]);
});
