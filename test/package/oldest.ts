import { type Consumer, createConsumer, PACKAGE } from "./consumer.ts";
import { manifest } from "./packed.ts";

/** The oldest Node and SDK that our package.json allows, read from it. */
export const OLDEST_PULUMI: string = lowest(manifest.peerDependencies["@pulumi/pulumi"]);
export const OLDEST_NODE: string = lowest(manifest.engines.node);

/** The SDK of that time does not take TypeScript 6. */
const TYPESCRIPT = "5.9.3";
/** The package that holds Node's binary for this machine; the package "node" would fetch it in an install script. */
const NODE_PACKAGE = `node-${process.platform.replace("32", "")}-${process.arch}`;

/** The lowest version that a range such as `^3.200.0` or `>=22.19` allows. */
function lowest(range = ""): string {
  const [major, minor = "0", patch = "0"] = range.replace(/^(\^|>=)/, "").split(".");
  return `${major}.${minor}.${patch}`;
}

/** A consumer who has not updated anything for as long as the package allows. */
export async function createOldestConsumer(): Promise<Consumer> {
  return createConsumer({
    install: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"],
    dependencies: {
      ...PACKAGE,
      "@pulumi/pulumi": OLDEST_PULUMI,
      [NODE_PACKAGE]: OLDEST_NODE,
      typescript: TYPESCRIPT,
      "@types/node": manifest.devDependencies["@types/node"] ?? "",
    },
    node: `node_modules/${NODE_PACKAGE}/bin/node`,
  });
}
