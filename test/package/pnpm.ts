import { createRequire } from "node:module";
import path from "node:path";
import { type Consumer, createConsumer } from "./consumer.ts";

const require = createRequire(import.meta.url);
/** The devDependency: pnpm 10 is plain JavaScript, where later ones bring a binary by an install script. */
const PNPM = path.join(require.resolve("pnpm"), "../bin/pnpm.cjs");

/** A consumer that installs with pnpm, whose projects find nothing but their own dependencies. */
export async function createPnpmConsumer(
  dependencies: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<Consumer> {
  return createConsumer({
    install: [process.execPath, PNPM, "install", "--prefer-offline"],
    dependencies,
    files: { "pnpm-workspace.yaml": "packages: ['packages/*']\n", ...files },
  });
}
