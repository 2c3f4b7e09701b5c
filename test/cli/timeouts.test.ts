import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

const volume = (timeouts: string, sizeGb = 100): string =>
  `new StorageVolume("data", { sizeGb: ${sizeGb} }, { customTimeouts: { ${timeouts} } });`;

test("each custom timeout is an error that keeps what is under way, and the next run goes on with it", async () => {
  await using scene = await openScene(volume('create: "1s"'));
  const { api, stack, sent, billed } = scene;
  api.addFault({ kind: "takes", seconds: 4, on: "POST /storage/create" });
  const created = await stack.up();
  expect(created.code).not.toBe(0);
  expect(created.output).toContain("Cannot wait any longer: the time limit of 1 s has passed");
  expect(created.output).toContain("A longer limit: customTimeouts");
  const kept = await scene.resource("data");
  expect(kept.id).toBe(billed()[0]);
  expect(kept.initErrors).toHaveLength(1);
  await stack.up([], { check: true });
  expect((await scene.resource("data")).outputs).toMatchObject({ status: "READY" });

  await scene.write(volume('update: "1s"', 200));
  api.addFault({ kind: "takes", seconds: 4, on: "PATCH /storage/edit/{}" });
  const updated = await stack.up();
  expect(updated.code).not.toBe(0);
  expect(updated.output).toContain(
    `Whether the change of sizeGb of storage volume ${kept.id} takes effect is not known`,
  );
  // The limit of a second holds for the next runs too.
  for (let runs = 0; runs < 5 && (await stack.up()).code !== 0; runs += 1);
  expect((await scene.resource("data")).outputs).toMatchObject({ sizeGb: 200 });

  await scene.write(volume('delete: "1s"', 200));
  await stack.up([], { check: true });
  api.addFault({ kind: "takes", seconds: 4, on: "DELETE /storage/{}" });
  const destroyed = await stack.destroy();
  expect(destroyed.code).not.toBe(0);
  expect(destroyed.output).toContain("The destroy was accepted and goes on at the server. Run the command again");
  expect(await scene.tracked()).toEqual(billed());
  for (let runs = 0; runs < 5 && (await stack.destroy()).code !== 0; runs += 1);
  expect(billed()).toEqual([]);
  expect(await scene.resources()).toEqual([]);
  expect(sent().filter((one) => one.startsWith("POST"))).toHaveLength(1);
  expect(sent().filter((one) => one.startsWith("DELETE"))).toHaveLength(1);
});

test("a duration such as 1h30m is taken, and a malformed one is an error of the program", async () => {
  await using scene = await openScene(volume('create: "1h30m", update: "90s"'));
  await scene.stack.preview([], { check: true });
  await scene.write(volume('create: "soon"'));
  const { code, output } = await scene.stack.preview();
  expect(code).not.toBe(0);
  expect(output).toContain('Cannot use customTimeouts.create "soon": expected a duration longer than 0');
});
