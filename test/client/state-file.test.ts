import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseState } from "../../provider/take-over/state-file.ts";

const V1 = await readFile(join(import.meta.dirname, "../cli/fixtures/state-v1.json"), "utf8");
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const CLUSTER = "pulumi-nodejs:dynamic/tensorpool:Cluster";

const stateOf = (deployment: object) => parseState(JSON.stringify({ version: 3, deployment }), "a file").objects;

test("parseState() finds everything in a state of the first release", () => {
  const { urnStart, seed, objects } = parseState(V1, "a file");
  expect([urnStart, seed]).toEqual(["urn:pulumi:old::program", "ecac9bdcf302"]);
  expect(objects.map(({ kind, id, isOnlyRead }) => [kind.word, id, isOnlyRead])).toEqual([
    ["key", "k-716c4306", false],
    ["volume", "s-a08ff49b", false],
    ["cluster", "c-9c43a8c3", false],
    ["attachment", "c-9c43a8c3/s-a08ff49b", false],
  ]);
});

test("parseState() of an empty stack finds nothing", () => {
  expect(parseState('{"version":3,"deployment":{"manifest":{}}}', "a file")).toEqual({
    urnStart: undefined,
    seed: undefined,
    objects: [],
  });
});

test.for(["", "[]", '{"version":3}', "pulumi: command not found"])("parseState() refuses %j", (content) => {
  expect(() => parseState(content, "x.json")).toThrow(/Cannot read the state in x.json: expected what "pulumi stack/);
});

test.for([
  ["a plain name", { name: "train" }, ["train"], false],
  ["a secret that is shown", { name: { ...SECRET, plaintext: '"train"' } }, ["train"], false],
  ["a secret that is encrypted", { name: { ...SECRET, ciphertext: "v1:x" } }, [], true],
  ["a broken secret", { name: { ...SECRET, plaintext: "{" } }, [], true],
  ["no name", {}, [], false],
] as const)("parseState() knows an interrupted create with %s", ([, inputs, names, hasSecretName]) => {
  const resource = { urn: "urn:pulumi:dev::shop::x::train", type: CLUSTER, inputs };
  const [found, ...others] = stateOf({ pending_operations: [{ resource, type: "creating" }] });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ id: undefined, requestIds: [], names, hasSecretName, isOnlyRead: false });
});

test("parseState() adds the name that is the resource's own, and leaves out other operations and packages", () => {
  const inputs = { name: "nodes", __seed: "0123456789ab", __urn: "urn:pulumi:dev::shop::x::train" };
  const resource = { urn: inputs.__urn, type: CLUSTER, inputs };
  const found = stateOf({
    resources: [{ urn: "urn:pulumi:dev::shop::y::z", type: "aws:s3:Bucket", id: "b" }],
    pending_operations: [
      { resource, type: "creating" },
      { resource, type: "deleting" },
    ],
  });
  expect(found.map(({ names }) => names)).toEqual([["nodes", expect.stringMatching(/^train-[0-9a-f]{14}$/)]]);
});

test.for([
  ["request:r-1", {}, { id: undefined, requestIds: ["r-1"], names: ["train"] }],
  ["request:r-1", { __objectId: "c-1" }, { id: "c-1" }],
  ["c-1", {}, { id: "c-1", requestIds: [] }],
] as const)("parseState() finds out what the id %s with %j stands for", ([id, more, expected]) => {
  const outputs = { name: "train", ...more };
  expect(stateOf({ resources: [{ urn: "urn", type: CLUSTER, id, outputs }] })).toMatchObject([expected]);
});
