import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../tools/process.ts";
import { type Consumer, PACKAGE } from "./consumer.ts";
import { manifest } from "./packed.ts";
import { createPnpmConsumer } from "./pnpm.ts";

const LIBRARY = `
import { StorageVolume } from "pulumi-tensorpool";
export const declareData = () => new StorageVolume("data", { sizeGb: 500 });
`;
const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { declareData } from "infra";
await pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "s-1", state: inputs }), call: () => ({}) });
declareData().id.apply((id) => console.log("declared", id));
`;

/** A package of the workspace. */
function member(name: string, dependencies: Readonly<Record<string, string>>, text: string): Record<string, string> {
  return {
    [`packages/${name}/package.json`]: JSON.stringify({ name, type: "module", main: "index.js", dependencies }),
    [`packages/${name}/index.js`]: text,
  };
}

let consumer: Consumer;

beforeAll(async () => {
  const pulumi = { "@pulumi/pulumi": manifest.devDependencies["@pulumi/pulumi"] ?? "" };
  consumer = await createPnpmConsumer(
    {},
    {
      ...member("infra", { ...pulumi, ...PACKAGE }, LIBRARY),
      ...member("program", { ...pulumi, infra: "workspace:*" }, PROGRAM),
      ...member("program-with-package", { ...pulumi, ...PACKAGE, infra: "workspace:*" }, PROGRAM),
    },
  );
});
afterAll(() => consumer[Symbol.asyncDispose]());

test("StorageVolume() tells what to install when only a library of the program depends on the package", async () => {
  const cwd = `${consumer.folder}/packages/program`;
  const { code, output } = await runCommand(consumer.node, ["index.js"], { cwd, env: consumer.env });
  expect(output).toContain(
    `Error: Cannot load pulumi-tensorpool from the program's folder ${cwd}: the Pulumi engine runs it from there. ` +
      "Add it to that folder's package.json: npm install pulumi-tensorpool (or pnpm add pulumi-tensorpool)",
  );
  expect(code).toBe(1);
});

test("StorageVolume() of a library works when the program depends on the package too", async () => {
  const cwd = `${consumer.folder}/packages/program-with-package`;
  const { output } = await runCommand(consumer.node, ["index.js"], { cwd, env: consumer.env });
  expect(output).toBe("declared s-1\n");
});
