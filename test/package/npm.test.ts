import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, createConsumer, FACTS, VARIANTS } from "./consumer.ts";
import { manifest } from "./packed.ts";

let consumer: Consumer | undefined;

beforeAll(async () => {
  const { "@pulumi/pulumi": pulumi = "", typescript = "", "@types/node": types = "" } = manifest.devDependencies;
  consumer = await createConsumer({
    install: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"],
    dependencies: { "@pulumi/pulumi": pulumi, typescript, "@types/node": types },
  });
});
afterAll(() => consumer?.[Symbol.asyncDispose]());

test.for(VARIANTS)("installed with npm, the package works in $title", async (variant) => {
  expect(await consumer.runVariant(variant)).toContain(FACTS);
});
