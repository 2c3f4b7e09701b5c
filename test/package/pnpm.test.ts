import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, FACTS, PACKAGE, variants } from "./consumer.ts";
import { liveThrough } from "./lifecycle.ts";
import { manifest } from "./packed.ts";
import { createPnpmConsumer } from "./pnpm.ts";

let consumer: Consumer;

beforeAll(async () => {
  const { "@pulumi/pulumi": pulumi = "", typescript = "", "@types/node": types = "" } = manifest.devDependencies;
  consumer = await createPnpmConsumer({ ...PACKAGE, "@pulumi/pulumi": pulumi, typescript, "@types/node": types });
});
afterAll(() => consumer[Symbol.asyncDispose]());

test.for(variants(6))("installed with pnpm, the package works in $title", async (variant) => {
  expect(await consumer.runVariant(variant)).toContain(FACTS);
});

test("installed with pnpm, a stack lives from up to destroy", async () => {
  expect(await liveThrough(consumer, "module")).toEqual({ bought: 2, billed: [] });
});
