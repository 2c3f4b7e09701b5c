import path from "node:path";
import { inspect } from "node:util";
import ts from "typescript";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../provider/client/index.ts";
import type { Fault } from "../emulator/index.ts";
import { type ClientWorld, startClientWorld, thrown } from "./world.ts";

const OF_PULUMI = /\bpulumi (up|destroy|refresh|preview|cancel|state|stack|config|import)\b|\badopt\b/i;

test("no text of a file that the client loads speaks of pulumi's commands, or of adopt but where adopt is given", () => {
  const provider = path.resolve(import.meta.dirname, "../../provider");
  const options = { noLib: true, types: [], module: ts.ModuleKind.NodeNext, allowImportingTsExtensions: true };
  const loaded = ts
    .createProgram([path.join(provider, "client/index.ts")], options)
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(provider));
  expect(loaded.map(({ fileName }) => path.relative(provider, fileName))).toContain("operations/reasons.ts");
  const said: string[] = [];
  const look = (node: ts.Node, file: ts.SourceFile): void => {
    // The client refuses adopt, so what is said of it nobody reads there.
    if (ts.isTemplateExpression(node) && node.head.text.startsWith("Cannot adopt")) return;
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    const text = isText ? node.getText(file).slice(1, -1) : "";
    const isRefusal = text.startsWith("Cannot use adopt: it is for resources");
    if (text.includes(" ") && OF_PULUMI.test(text) && !isRefusal) said.push(text);
    ts.forEachChild(node, (child) => look(child, file));
  };
  for (const file of loaded) look(file, file);
  expect(said).toEqual([]);
});

const CLUSTER = { instanceType: "8xH200", numNodes: 2, publicKeys: ["ssh-ed25519 AAAA me"], name: "train" };
const KEY = { publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@laptop" };

async function unreachable(): Promise<never> {
  throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
}

interface Trouble {
  readonly fault?: Fault;
  /** What is there before. */
  readonly with?: (world: ClientWorld) => unknown;
  readonly call: (client: Client, world: ClientWorld) => Promise<unknown>;
  /** How the error's text ends. */
  readonly says: RegExp;
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  "no connection": {
    call: (_client, { clock }) => createClient({ apiKey: "k", env: {}, clock, transport: unreachable }).clusters.list(),
    says: /\. Check baseUrl \(or env TENSORPOOL_ENGINE\) and the network, then run again$/,
  },
  "a key that is refused": {
    fault: { kind: "status", status: 401, times: "always" },
    call: ({ clusters }) => clusters.list(),
    says: /\. Check the API key: apiKey, or env TENSORPOOL_KEY$/,
  },
  "a key that is refused while it waits": {
    fault: { kind: "status", status: 401, on: "GET /request/info/{request_id}" },
    call: ({ clusters }) => clusters.create(CLUSTER),
    says: /Check the API key: apiKey, or env TENSORPOOL_KEY\. The create of cluster "train" \(c-\w+\) goes on .* Go on waiting with wait\("c-\w+"\), or call destroy\("c-\w+"\)$/,
  },
  "an id that is not there": {
    call: ({ clusters }) => clusters.get("c-none"),
    says: /\. Check the id, the account of the API key, and baseUrl \(or env TENSORPOOL_ENGINE\)$/,
  },
  "no object storage": {
    fault: { kind: "status", status: 404, on: "GET /object-storage/bucket/list" },
    call: ({ buckets }) => buckets.list(),
    says: /answered 404.*\. If object storage is not enabled for the organization, enable it once/,
  },
  "a lost answer": {
    fault: { kind: "reset", on: "POST /cluster/create", times: "always" },
    call: ({ clusters }) => clusters.create(CLUSTER),
    says: /It is not repeated blindly\. Look in the list before you call it again$/,
  },
  "no capacity": {
    fault: { kind: "no-capacity", status: 409, times: "always" },
    call: ({ clusters }) => clusters.create(CLUSTER),
    says: /\. Call create again later\. With capacityTimeout, such as "2h", it waits for capacity$/,
  },
  "no capacity for long": {
    fault: { kind: "no-capacity", status: 409, times: "always" },
    call: ({ clusters }) => clusters.create({ ...CLUSTER, capacityTimeout: "5m" }),
    says: /in 5 min\. Call create to go on trying, or ask for something else$/,
  },
  "a create that fails": {
    fault: { kind: "failed", message: "the node hangs", on: "POST /cluster/create" },
    call: ({ clusters }) => clusters.create(CLUSTER),
    says: /has left nothing behind and nothing is billed\. Call create to try again$/,
  },
  "a create that fails and leaves its object": {
    fault: { kind: "failed", keepObject: true, on: "POST /cluster/create" },
    call: ({ clusters }) => clusters.create(CLUSTER),
    says: /is still there and may be billed\. Destroy it, then create it anew$/,
  },
  "a create that comes to nothing": {
    fault: { kind: "completed-but-404", on: "POST /cluster/create" },
    call: ({ clusters }) => clusters.create(CLUSTER, { timeoutMs: 300_000 }),
    says: /neither in the lists nor under its id\. Destroy it, then create it anew$/,
  },
  "a create that takes too long": {
    fault: { kind: "stuck" },
    call: ({ clusters }) => clusters.create(CLUSTER, { timeoutMs: 60_000 }),
    says: /which is billed\. Go on waiting with wait\("c-\w+"\), or call destroy\("c-\w+"\)\. A longer limit: timeoutMs$/,
  },
  "a name that is taken": {
    with: ({ api }) => api.addCluster({ name: "train" }),
    call: ({ clusters }) => clusters.create(CLUSTER),
    says: /has this name already\. Give another name, or destroy it$/,
  },
  "an edit that fails": {
    fault: { kind: "failed", on: "PATCH /storage/edit/{id}" },
    with: ({ api }) => api.addVolume({ name: "data", size_gb: 100 }),
    call: async ({ storage }) =>
      storage.edit((await storage.list())[0]?.id ?? "", { sizeGb: 200 }, { timeoutMs: 60_000 }),
    says: /takes effect is not known\. Call edit to send it again and wait until it shows$/,
  },
  "deletion protection": {
    with: ({ api }) => api.addCluster({ name: "train", deletion_protection: true }),
    call: ({ clusters }) => clusters.destroy("train"),
    says: /deletionProtection is on\. First set deletionProtection: false with edit, then destroy it$/,
  },
  "a destroy that fails": {
    fault: { kind: "failed", on: "DELETE /cluster/{cluster}" },
    with: ({ api }) => api.addCluster({ name: "train" }),
    call: ({ clusters }) => clusters.destroy("train"),
    says: /could not be destroyed and is still billed\. Call destroy again$/,
  },
  "a destroy that takes too long": {
    fault: { kind: "stuck" },
    with: ({ api }) => api.addCluster({ name: "train" }),
    call: ({ clusters }) => clusters.destroy("train", { timeoutMs: 60_000 }),
    says: /accepted and goes on at the server\. Call destroy again$/,
  },
  "an attach that takes too long": {
    fault: { kind: "stuck" },
    call: ({ attachments }, { api }) => attachments.attach(endsIn(api), { timeoutMs: 60_000 }),
    says: /goes on at the server \(request r-\w+, since .*\)\. Go on waiting with requests\.wait\("r-\w+"\)$/,
  },
  "a detach that takes too long": {
    call: async ({ attachments }, { api }) => {
      const ends = endsIn(api);
      await attachments.attach(ends);
      api.addFault({ kind: "stuck" });
      await attachments.detach(ends, { timeoutMs: 60_000 });
    },
    says: /may go on at the server\. Call detach again$/,
  },
  "an SSH key that is registered": {
    call: async ({ sshKeys }) => {
      await sshKeys.add(KEY);
      await sshKeys.add(KEY);
    },
    says: /has this publicKey already, as (\S+)\. To use that one, give sshKeyId: "\1"$/,
  },
};

function endsIn(api: ClientWorld["api"]): { clusterId: string; storageId: string } {
  return { clusterId: api.addCluster({ instance_type: "8xH200", num_nodes: 2 }), storageId: api.addVolume() };
}

test.for(Object.entries(TROUBLES))("%s ends in advice that a caller of the client can follow", async ([, trouble]) => {
  await using world = await startClientWorld();
  await trouble.with?.(world);
  if (trouble.fault !== undefined) world.api.addFault(trouble.fault);
  const error = await thrown(world.run(trouble.call(world.client, world)));
  expect(error.message).toMatch(trouble.says);
  // Neither do its fields and its causes, which whoever logs it sees too.
  const all = inspect(error, { depth: 10 });
  expect(all.replaceAll(/^ +at .*$/gm, "")).not.toMatch(OF_PULUMI);
});
