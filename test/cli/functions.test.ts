import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openScene, type Scene } from "./scene.ts";

const ASKS = `
import { getCluster, getClusterOutput, getClusters, getObjectStorageCredentialsOutput } from "pulumi-tensorpool";
const before = getClusters();
const cluster = new Cluster("train", { instanceType: "1xH100", publicKeys, name: "train" });
const seen = getClusterOutput({ name: cluster.name });
const keys = getObjectStorageCredentialsOutput();
export const names = before.then(({ clusters }) => clusters.map(({ name }) => name));
export const status = seen.status;
export const region = keys.region;
export const secretAccessKey = keys.secretAccessKey;
new StorageVolume("data", { sizeGb: seen.apply(({ instanceType }) => (instanceType === "1xH100" ? 7 : 8)) });
`;

async function credentials({ api }: Scene, verb: "GET" | "POST", what: string): Promise<Record<string, string>> {
  const headers = { authorization: "Bearer test-key" };
  const response = await fetch(`${api.url}/object-storage/${what}`, { method: verb, headers });
  return (await response.json()) as Record<string, string>;
}

/** What was asked with GET, as `/cluster/list`, since `from`. */
function reads({ api }: Scene, from = 0): string[] {
  const all = api.ledger().requests.slice(from);
  return all.filter(({ method }) => method === "GET").map((one) => one.path);
}

test("functions read in previews and up, in one program run once, and the state holds secrets encrypted only", async () => {
  let printed = "";
  await using scene = await openScene(ASKS, { onOutput: (text) => void (printed += text) });
  const { api, stack } = scene;
  api.addCluster({ name: "of-others" });
  const { secret_access_key: secret = "" } = await credentials(scene, "POST", "enable");
  const [sent, asked] = [scene.sent().length, api.ledger().requests.length];

  await stack.preview([], { check: true });
  expect(scene.sent(sent)).toEqual([]);
  // The cluster that is yet to be created is not looked for.
  expect(reads(scene, asked).sort()).toEqual(["/cluster/list", "/object-storage/credentials"]);

  await stack.up([], { check: true });
  const outputs = await stack.run(["stack", "output", "--json", "--show-secrets"], { check: true });
  expect(JSON.parse(outputs.stdout)).toEqual({
    names: ["of-others"],
    status: "RUNNING",
    region: "auto",
    secretAccessKey: secret,
  });
  expect((await scene.resource("data")).outputs).toMatchObject({ sizeGb: 7 });
  const entries = await readdir(stack.backend, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
  const stored = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
  expect(stored).toContain('"ciphertext"');
  for (const text of [JSON.stringify(await stack.export()), stored, printed.replace(outputs.output, "")]) {
    expect(text).not.toContain(secret);
  }
  await stack.preview(["--expect-no-changes"], { check: true });
});

test("a lookup that fails ends the program with its message alone, and what needs it is not bought", async () => {
  await using scene = await openScene(`
import { getCluster, getClusterOutput } from "pulumi-tensorpool";
export const id = getCluster({ name: "shared" }).then((one) => one.id);
getClusterOutput({ name: "shared" }).apply(() => new StorageVolume("data", { sizeGb: 1 }));
`);
  const run = await scene.stack.up();
  expect(run.code).not.toBe(0);
  const diagnostics = /Diagnostics:([^]*?)\n\n/.exec(run.output)?.[1] ?? "";
  expect(diagnostics.trim().split("\n").slice(1)).toEqual([
    '    error: Cannot find cluster "shared": none of the 0 that this API key shows has this name',
  ]);
  expect(scene.sent()).toEqual([]);
});
