import { symlink } from "node:fs/promises";
import path from "node:path";
import { findPulumi } from "../../tools/pulumi.ts";
import { createStack } from "../cli/cli.ts";
import { startEmulator } from "../emulator/index.ts";
import { type Consumer, write } from "./consumer.ts";

const PROGRAM = `
import { Cluster, SshKey, StorageAttachment, StorageVolume } from "pulumi-tensorpool";
const key = new SshKey("me", { publicKey: "ssh-ed25519 ${"A".repeat(68)} me@laptop" });
const cluster = new Cluster("train", { instanceType: "8xH200", numNodes: 2, sshKeyId: key.id });
const data = new StorageVolume("data", { sizeGb: 500 });
const attachment = new StorageAttachment("data-on-train", { clusterId: cluster.id, storageId: data.id });
export const mountPath = attachment.id.apply(() => data.mountPath);
`;

/**
 * The life of a TypeScript program's stack on the real CLI, with the SDK, the package and the Node of a consumer's own:
 * up, up again, refresh, destroy. Gives how often something was bought and what is billed in the end.
 * @throws with the CLI's words at the first step that fails, or changes what it must not
 */
export async function liveThrough(
  consumer: Consumer,
  type: "module" | "commonjs",
): Promise<{ bought: number; billed: readonly unknown[] }> {
  const folder = path.join(consumer.folder, `stack-${type}`);
  const modules = type === "module" ? { module: "nodenext" } : { module: "commonjs", moduleResolution: "node10" };
  const compilerOptions = { ...modules, strict: true, target: "es2022", types: ["node"], skipLibCheck: true };
  await write(folder, {
    "package.json": JSON.stringify({ name: "stack", private: true, type, main: "index.ts" }),
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
    "Pulumi.yaml": "name: stack\nruntime: nodejs\nmain: index.ts\n",
    "index.ts": PROGRAM,
  });
  await symlink("../node_modules", path.join(folder, "node_modules"), "junction");
  await using api = await startEmulator({ operationSeconds: 0.3, retryAfterSeconds: 0.2 });
  await using stack = await createStack({
    program: folder,
    env: { TENSORPOOL_ENGINE: api.url, TENSORPOOL_KEY: "test-key" },
  });
  const { path: cli } = await findPulumi();
  const env = { PATH: [path.dirname(cli), consumer.env["PATH"]].join(path.delimiter) };
  await stack.up([], { check: true, env });
  await stack.up(["--expect-no-changes"], { check: true, env });
  await stack.refresh(["--expect-no-changes"], { check: true, env });
  const bought = api.ledger().everBilled.length;
  await stack.destroy([], { check: true, env });
  return { bought, billed: api.ledger().billed };
}
