import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, FACTS, variants } from "./consumer.ts";
import { liveThrough } from "./lifecycle.ts";
import { createOldestConsumer, OLDEST_NODE, OLDEST_PULUMI } from "./oldest.ts";
import { run } from "./packed.ts";

let consumer: Consumer;

beforeAll(async () => {
  consumer = await createOldestConsumer();
});
afterAll(() => consumer[Symbol.asyncDispose]());

test(`the oldest consumer has Node ${OLDEST_NODE} and @pulumi/pulumi ${OLDEST_PULUMI}`, async () => {
  const versions = 'console.log(process.version, require("@pulumi/pulumi/package.json").version)';
  const stdout = await run("node", ["-e", versions], { cwd: consumer.folder, env: consumer.env });
  expect(stdout.trim()).toBe(`v${OLDEST_NODE} ${OLDEST_PULUMI}`);
});

test.for(variants(5))("with the oldest Node and Pulumi, the package works in $title", async (variant) => {
  expect(await consumer.runVariant(variant)).toContain(FACTS);
});

test.for(["module", "commonjs"] as const)(
  "with the oldest Node and Pulumi, a stack of package type %s lives from up to destroy",
  async (type) => {
    expect(await liveThrough(consumer, type)).toEqual({ bought: 2, billed: [] });
  },
);
