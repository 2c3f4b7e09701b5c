import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import { type Emulator, startEmulator } from "pulumi-tensorpool/emulator";
import { expect, test } from "vitest";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJfcPTn8OWvZ0JvjTQ ops@example.com";

/** Deploys one of the stacks' programs to an emulator, with a state of its own, and forgets both in the end. */
async function deploying(
  folder: string,
  config: Record<string, string>,
  use: (stack: Stack, api: Emulator) => Promise<void>,
): Promise<void> {
  await using api = await startEmulator({ operationSeconds: 0.2, retryAfterSeconds: 0.1 });
  const state = await mkdtemp(path.join(tmpdir(), "platform-"));
  const stack = await LocalWorkspace.createStack(
    { stackName: `test-${path.basename(state)}`, workDir: path.join(import.meta.dirname, "stacks", folder) },
    {
      envVars: {
        PULUMI_BACKEND_URL: pathToFileURL(state).href,
        PULUMI_CONFIG_PASSPHRASE: "test",
        TENSORPOOL_ENGINE: api.url,
        TENSORPOOL_KEY: "test-key",
      },
    },
  );
  try {
    for (const [key, value] of Object.entries(config)) await stack.setConfig(key, { value });
    await use(stack, api);
  } finally {
    // Also the config file that it has put beside Pulumi.yaml.
    await stack.workspace.removeStack(stack.name, { force: true });
    await rm(state, { recursive: true });
  }
}

test("the research stack goes up, stays as it is, and leaves nothing behind", async () => {
  await deploying("research", { operatorKey: KEY }, async (stack, api) => {
    const { outputs } = await stack.up();
    const [cluster, volume] = api.ledger().billed;
    expect(outputs["clusterId"]?.value).toBe(cluster?.id);
    expect(outputs["mountPaths"]?.value).toEqual({ datasets: `/mnt/${volume?.id}` });
    await stack.up({ expectNoChanges: true });
    await stack.destroy();
    expect(api.ledger().billed).toEqual([]);
  });
});

test("the research stack buys no cluster above its limit", async () => {
  await deploying("research", { operatorKey: KEY, maxHourlyUsd: "0.01" }, async (stack, api) => {
    await expect(stack.up()).rejects.toThrow(/maxHourlyUsd/);
    expect(api.ledger().everBilled.map(({ kind }) => kind)).not.toContain("cluster");
    await stack.destroy();
    expect(api.ledger().billed).toEqual([]);
  });
});

test("the production stack is not destroyed before its protection is switched off", async () => {
  await deploying("production", { operatorKey: KEY }, async (stack, api) => {
    await stack.up();
    const changes = (): number => api.ledger().requests.filter(({ method }) => method !== "GET").length;
    const before = changes();
    expect(api.ledger().billed).toHaveLength(3);
    await expect(stack.destroy()).rejects.toThrow(/protect/);
    await stack.setConfig("nodes", { value: "3" });
    await expect(stack.up()).rejects.toThrow(/marked for protection/);
    await stack.setConfig("nodes", { value: "2" });
    // Who joins the team gets on the next cluster.
    await stack.setConfig("team", { value: JSON.stringify([`${KEY}2`]) });
    await stack.up({ expectNoChanges: true });
    expect(changes()).toBe(before);

    await stack.setConfig("protected", { value: "false" });
    await stack.up();
    await stack.destroy();
    expect(api.ledger().billed).toEqual([]);
  });
});
