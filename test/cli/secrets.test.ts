import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ALL_FOUR, openScene } from "./scene.ts";

const KEY = "tp-planted-5f0c2e7a9b1d";
const SIGNATURE = "5ig-planted-91c4";
const SIGNED_URL = `https://store.example/log.txt?X-Amz-Credential=me&X-Amz-Signature=${SIGNATURE}`;
const OTHER = "tp-planted-of-config-77aa";

/** Everything under a folder, as one text. */
async function allFilesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), "utf8")))).join("\n");
}

test("the API key and signed URLs are in no state, output, log or error", async () => {
  let printed = "";
  await using scene = await openScene(ALL_FOUR, {
    emulator: { keys: [KEY] },
    env: { TENSORPOOL_KEY: KEY, TENSORPOOL_PROGRESS: "plain" },
    onOutput: (text) => {
      printed += text;
    },
  });
  const { api, stack } = scene;
  // A server that repeats the key in its answers: as a refusal, and as the reason of a failure.
  api.addFault({
    kind: "status",
    status: 400,
    body: { message: `Bearer ${KEY} is not welcome` },
    on: "POST /cluster/create",
  });
  const refused = await stack.up();
  expect(refused.output).toContain("is not welcome");
  api.addFault({
    kind: "failed",
    message: `no luck with ${KEY}, see ${SIGNED_URL}`,
    keepObject: true,
    on: "POST /cluster/create",
  });
  const failed = await stack.up();
  expect(failed.output).toContain("no luck with");
  await stack.up(["--logflow", "-v=9", "--logtostderr"], { check: true });
  await stack.refresh([], { check: true });
  await stack.destroy(["--target", (await scene.resource("data-on-train")).urn], { check: true });
  const state = JSON.stringify(await stack.export());
  const outputs = (await stack.run(["stack", "output", "--json", "--show-secrets"], { check: true })).output;
  for (const text of [printed, state, outputs, await allFilesIn(stack.backend)]) {
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(SIGNATURE);
  }
});

test("a key in config is encrypted in the state and nowhere in plain", async () => {
  let printed = "";
  await using scene = await openScene(ALL_FOUR, {
    emulator: { keys: [OTHER] },
    env: { TENSORPOOL_KEY: "" },
    config: { "tensorpool:apiKey": { secret: OTHER } },
    onOutput: (text) => {
      printed += text;
    },
  });
  // Not with -v=9: at that level the engine itself prints the whole config that it hands to any provider.
  await scene.stack.up([], { check: true });
  await scene.stack.refresh(["--expect-no-changes"], { check: true });
  await scene.stack.destroy([], { check: true });
  expect(scene.billed()).toEqual([]);
  expect(printed).not.toContain(OTHER);
  expect(await allFilesIn(scene.stack.backend)).not.toContain(OTHER);
});
