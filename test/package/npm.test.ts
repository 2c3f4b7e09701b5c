import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, createConsumer, FACTS, PACKAGE, variants } from "./consumer.ts";
import { manifest } from "./packed.ts";

let consumer: Consumer;

beforeAll(async () => {
  const { "@pulumi/pulumi": pulumi = "", typescript = "", "@types/node": types = "" } = manifest.devDependencies;
  consumer = await createConsumer({
    install: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"],
    dependencies: { ...PACKAGE, "@pulumi/pulumi": pulumi, typescript, "@types/node": types },
  });
});
afterAll(() => consumer[Symbol.asyncDispose]());

test.for(variants(6))("installed with npm, the package works in $title", async (variant) => {
  expect(await consumer.runVariant(variant)).toContain(FACTS);
});
