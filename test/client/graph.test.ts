import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROVIDER = join(import.meta.dirname, "../../provider");

async function loadedBy(file: string): Promise<string[]> {
  const graph = join(import.meta.dirname, "graph.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [graph, join(PROVIDER, file)]);
  return JSON.parse(stdout) as string[];
}

test("pulumi-tensorpool/client loads neither Pulumi, nor the hooks, nor the HTTP library before it is used", async () => {
  const loaded = await loadedBy("client/index.ts");
  expect(loaded.some((url) => url.endsWith("/provider/operations/create.ts"))).toBe(true);
  expect(loaded.filter((url) => /@pulumi|@grpc|undici|\/provider\/hooks\//.test(url))).toEqual([]);
  const packages = loaded.flatMap((url) => /node_modules\/([^/]+)/.exec(url)?.[1] ?? []);
  expect([...new Set(packages)]).toEqual(["p-wait-for"]);
});

test("pulumi-tensorpool loads the classes and the functions, and what these need only when one is called", {
  timeout: 30_000,
}, async () => {
  const loaded = await loadedBy("index.ts");
  expect(loaded.some((url) => url.includes("@pulumi"))).toBe(true);
  expect(loaded.some((url) => url.endsWith("/provider/functions/functions.ts"))).toBe(true);
  const later = /undici|p-wait-for|\/provider\/(client|api|wait|hooks)\/|\/functions\/account/;
  expect(loaded.filter((url) => later.test(url))).toEqual([]);
});
