import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, createConsumer, FACTS, PACKAGE, variants } from "./consumer.ts";
import { liveThrough } from "./lifecycle.ts";
import { manifest, run } from "./packed.ts";

/** The lowest version that a range such as `^3.200.0` or `>=22.19` allows. */
function lowest(range = ""): string {
  const [major, minor = "0", patch = "0"] = range.replace(/^(\^|>=)/, "").split(".");
  return `${major}.${minor}.${patch}`;
}

const PULUMI = lowest(manifest.peerDependencies["@pulumi/pulumi"]);
const NODE = lowest(manifest.engines.node);
/** Pulumi's SDK of that time does not take TypeScript 6. */
const TYPESCRIPT = "5.9.3";
/** The package that holds Node's binary for this machine; the package "node" would fetch it in an install script. */
const NODE_PACKAGE = `node-${process.platform.replace("32", "")}-${process.arch}`;

let consumer: Consumer;

beforeAll(async () => {
  consumer = await createConsumer({
    install: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"],
    dependencies: {
      ...PACKAGE,
      "@pulumi/pulumi": PULUMI,
      [NODE_PACKAGE]: NODE,
      typescript: TYPESCRIPT,
      "@types/node": manifest.devDependencies["@types/node"] ?? "",
    },
    node: `node_modules/${NODE_PACKAGE}/bin/node`,
  });
});
afterAll(() => consumer[Symbol.asyncDispose]());

test(`this consumer has Node ${NODE} and @pulumi/pulumi ${PULUMI}, the oldest that package.json allows`, async () => {
  const versions = 'console.log(process.version, require("@pulumi/pulumi/package.json").version)';
  const stdout = await run("node", ["-e", versions], { cwd: consumer.folder, env: consumer.env });
  expect(stdout.trim()).toBe(`v${NODE} ${PULUMI}`);
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
