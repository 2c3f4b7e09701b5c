import { expect, test } from "vitest";
import { startEmulator } from "../emulator/index.ts";
import { createStack } from "./cli.ts";

const PROGRAM = `
import { Config } from "@pulumi/pulumi";
import { Provider, StorageVolume } from "pulumi-tensorpool";
const two = new Provider("two", { apiKey: new Config().requireSecret("second") });
const three = new Provider("three", { apiKeyEnv: "THIRD_KEY" });
new StorageVolume("mine", { sizeGb: 1 });
new StorageVolume("theirs", { sizeGb: 2 }, { provider: two });
new StorageVolume("others", { sizeGb: 3 }, { provider: three });
`;

test("Provider gives each account its own key, and a rotated key replaces nothing", async () => {
  const accounts = [
    { key: "planted-key-1", account: "one" },
    { key: "planted-key-2", account: "two" },
    { key: "planted-key-2-rotated", account: "two" },
    { key: "planted-key-3", account: "three" },
  ];
  await using api = await startEmulator({ operationSeconds: 0.2, retryAfterSeconds: 0.1, keys: accounts });
  await using stack = await createStack({
    program: { "index.ts": PROGRAM },
    env: { TENSORPOOL_ENGINE: api.url, TENSORPOOL_KEY: "planted-key-1", THIRD_KEY: "planted-key-3" },
    config: { second: { secret: "planted-key-2" } },
  });
  await stack.up([], { check: true });
  const bought = api.ledger().billed;
  expect(bought).toHaveLength(3);
  // Each volume is seen with the key of its own account alone.
  const seenBy = async (key: string): Promise<unknown> => {
    const answer = await fetch(`${api.url}/storage/list`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { volumes: { size_gb: number }[] }).volumes.map((one) => one.size_gb);
  };
  expect(await Promise.all(accounts.map(({ key }) => seenBy(key)))).toEqual([[1], [2], [2], [3]]);

  await stack.run(["config", "set", "--secret", "second", "planted-key-2-rotated"], { check: true });
  const rotated = await stack.up([], { check: true });
  expect(rotated.output).toMatch(/~ 1 updated\s+6 unchanged/);
  expect(JSON.stringify(await stack.export())).not.toContain("planted-key");
  await stack.destroy([], { check: true });
  expect(api.ledger()).toMatchObject({ billed: [], everBilled: bought });
});
