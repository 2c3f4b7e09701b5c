import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Emulator, startEmulator } from "../emulator/index.ts";
import { command, type Ended } from "./run-command.ts";

const EMPTY = '{"version":3,"deployment":{}}';
const V1 = await readFile(join(import.meta.dirname, "../cli/fixtures/state-v1.json"), "utf8");

interface Imported {
  readonly resources: readonly { readonly type: string; readonly name: string; readonly id: string }[];
}

interface Scene extends AsyncDisposable {
  readonly api: Emulator;
  /** What the Pulumi CLI was asked for. */
  readonly asked: string[];
  readonly file: string;
  run(args: readonly string[], state?: string): Promise<Ended>;
  written(): Promise<Imported>;
}

async function scene(): Promise<Scene> {
  // Other ids than those of the state file.
  const api = await startEmulator({ seed: 7 });
  const folder = await mkdtemp(join(tmpdir(), "import-"));
  const file = join(folder, "import.json");
  const asked: string[] = [];
  return {
    api,
    asked,
    file,
    async run(args, state = EMPTY) {
      const pulumi = async (words: readonly string[]): Promise<string> => {
        asked.push(words.join(" "));
        return words[0] === "about" ? '{"currentStack":{"fullyQualifiedName":"me/shop/dev"}}' : state;
      };
      return command(api.url, ["import", "--out", file, ...args], false, undefined, { pulumi });
    },
    written: async () => JSON.parse(await readFile(file, "utf8")) as Imported,
    async [Symbol.asyncDispose]() {
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test("import of a volume writes its state, the stack's seed, and tells what to do", async () => {
  await using all = await scene();
  const id = all.api.addVolume({ name: "data", size_gb: 500, deletion_protection: true });
  const { code, out, err } = await all.run(["volume", id]);
  expect([code, err, all.asked]).toEqual([0, "", ["stack export", "about --json"]]);
  expect(out).toBe(`Wrote ${all.file}. Run (Pulumi CLI 3.254 or newer)

  pulumi import --file ${all.file} --generate-code=false

and put this into the program:

import { StorageVolume } from "pulumi-tensorpool";

const dataVolume = new StorageVolume(
  "data",
  {
    sizeGb: 500,
    name: "data",
    deletionProtection: true,
  },
  { protect: true },
);
`);
  const [seed, volume, ...others] = (await all.written()).resources;
  expect(others).toEqual([]);
  expect(seed).toMatchObject({ name: "tensorpool-seed", id: expect.stringMatching(/^[0-9a-f]{12}$/) });
  const args = { sizeGb: 500, name: "data", deletionProtection: true };
  const hidden = {
    __provider: 'exports.handler=()=>require("pulumi-tensorpool/provider").storageVolume',
    __seed: seed?.id,
    __urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tensorpool:StorageVolume::data",
  };
  expect(volume).toEqual({
    type: "pulumi-nodejs:dynamic/tensorpool:StorageVolume",
    name: "data",
    id,
    inputs: { ...args, ...hidden },
    outputs: {
      ...args,
      ...hidden,
      status: "READY",
      mountPath: `/mnt/${id}`,
      createdAt: expect.any(String),
      __keyId: "62af8704",
      __open: ["adopt", "maxHourlyUsd"],
    },
  });
});

test("import into a stack that has resources uses its seed and its URNs, and no name that is taken", async () => {
  await using all = await scene();
  const ids = ["data", "data", "class", "8x 🙂", ""].map((name) => {
    const id = all.api.addVolume({ size_gb: 1 });
    all.api.edit(id, { name });
    return id;
  });
  const { out } = await all.run(["volume", ...ids, ids[0] ?? "", "--stack", "old", "--json"], V1);
  expect(all.asked).toEqual(["stack export --stack old"]);
  const { command: line, program, resources } = JSON.parse(out) as Record<string, unknown>;
  expect(line).toBe(`pulumi import --file ${all.file} --generate-code=false --stack old`);
  const names = [`data-${ids[0]}`, `data-${ids[1]}`, "class", "8x 🙂", ids[4]];
  expect(resources).toEqual(ids.map((id, at) => expect.objectContaining({ id, name: names[at] })));
  expect(String(program).match(/const (\w+)/gu)).toEqual([
    expect.stringMatching(/^const dataS\w+Volume$/),
    expect.stringMatching(/^const dataS\w+Volume$/),
    "const classVolume",
    "const volume8x",
    expect.stringMatching(/^const s\w+Volume$/),
  ]);
  const written = await all.written();
  expect(written.resources).toHaveLength(5);
  expect(written.resources[2]).toMatchObject({
    inputs: {
      __seed: "ecac9bdcf302",
      __urn: "urn:pulumi:old::program::pulumi-nodejs:dynamic/tensorpool:StorageVolume::class",
    },
  });
});

test("import gives twins names of their own, and takes what the stack only reads", async () => {
  await using all = await scene();
  const [first = "", second = "", read = ""] = ["twin", "other", "Twin!"].map((name) => all.api.addVolume({ name }));
  all.api.edit(second, { name: "twin" });
  const type = "pulumi-nodejs:dynamic/tensorpool:StorageVolume";
  const state = { resources: [{ urn: `urn:pulumi:dev::shop::${type}::looked-up`, type, id: read, external: true }] };
  const onStack = ["--stack", "it's"];
  const { code, out } = await all.run(
    ["volume", first, second, read, ...onStack],
    JSON.stringify({ deployment: state }),
  );
  expect(out).toContain(" --generate-code=false --stack 'it'\\''s'\n");
  expect(code).toBe(0);
  expect(out.match(/const twinVolume\d? /g)).toEqual(["const twinVolume ", "const twinVolume2 "]);
  // What is as it would be by default needs no word.
  expect(out).not.toContain("deletionProtection");
  const names = (await all.written()).resources.slice(1).map(({ name }) => name);
  expect(names).toEqual(["twin", `twin-${second}`, "Twin!"]);
});

test("import tells what the API does not", async () => {
  await using api = await startEmulator();
  const id = api.addCluster({ name: "a\u001b[31mb" });
  api.edit(id, { instance_type: null });
  const folder = await mkdtemp(join(tmpdir(), "import-"));
  const out = ["--out", join(folder, "import.json")];
  const ended = await command(api.url, ["import", "cluster", id, ...out], false, undefined, {
    pulumi: async () => EMPTY,
  });
  await rm(folder, { recursive: true });
  expect(ended.out).toContain("    // instanceType: the API does not tell it; write what it is\n");
  expect(ended.out).toContain('const a31mbCluster = new Cluster(\n  "a\\u001b[31mb",');
});

test.for([
  ["is not there", (): string => "c-none", /Cannot get cluster "c-none": the API knows no such id/],
  ["is a volume", (api: Emulator): string => api.addVolume(), /Cannot get cluster "s-\w+": the API knows no such id/],
  [
    "has FAILED",
    (api: Emulator): string => {
      const id = api.addCluster();
      api.edit(id, { status: "FAILED" });
      return id;
    },
    /Cannot import cluster c-\w+: it is FAILED, which pulumi up would replace/,
  ],
  [
    "is not ready",
    (api: Emulator): string => {
      const id = api.addCluster();
      api.edit(id, { status: "PROVISIONING" });
      return id;
    },
    /Cannot import cluster c-\w+: it is PROVISIONING: run this again when it is ready/,
  ],
  [
    "is in the state already",
    (api: Emulator): string => api.addCluster({ id: "c-9c43a8c3" }),
    /Cannot import cluster c-9c43a8c3: the stack has it already, as urn:pulumi:old::\S+::train/,
  ],
] as const)("import of a cluster that %s writes nothing", async ([, make, says]) => {
  await using all = await scene();
  const good = all.api.addCluster();
  const { code, out, err } = await all.run(["cluster", good, make(all.api)], V1);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(says);
  expect(err).toContain("Nothing was written");
  await expect(all.written()).rejects.toThrow("ENOENT");
});

test("import keeps a file that is there, unless --overwrite is given", async () => {
  await using all = await scene();
  const id = all.api.addVolume();
  expect((await all.run(["volume", id])).code).toBe(0);
  expect(await all.run(["volume", id])).toMatchObject({ code: 1, err: expect.stringContaining("is there already") });
  expect((await all.run(["volume", id, "--overwrite"])).code).toBe(0);
  const nowhere = join(all.file, "import.json");
  const lost = await all.run(["volume", id, "--out", nowhere]);
  expect(lost).toMatchObject({ code: 1, err: expect.stringContaining(`Cannot write ${nowhere}: ENOTDIR`) });
});

test("import says how to go on when the Pulumi CLI does not tell the state", async () => {
  await using all = await scene();
  const id = all.api.addVolume();
  const { code, err } = await command(all.api.url, ["import", "volume", id, "--out", all.file]);
  expect(code).toBe(1);
  expect(err).toMatch(/with "pulumi stack export": there is no Pulumi here. .*--stack-export FILE/);
  const input = async (): Promise<string> => EMPTY;
  const piped = ["import", "volume", id, "--out", all.file, "--stack-export", "-"];
  expect(await command(all.api.url, piped, false, undefined, { input })).toMatchObject({ code: 0, err: "" });
});
