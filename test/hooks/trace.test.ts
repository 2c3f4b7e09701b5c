import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HttpRequest, HttpResponse } from "../../provider/api/transport.ts";
import { startTrace } from "../../provider/hooks/trace.ts";
import { type Slice, slicesOf } from "../../tools/trace-slices.ts";
import { virtualClock } from "../virtual-clock.ts";
import { CLUSTER, SSH_KEY, VOLUME } from "./args.ts";
import { KEY, type Process } from "./process.ts";
import { startWorld, type World } from "./world.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trace-"));
  file = path.join(folder, "run.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = (): string => readFileSync(file, "utf8");
const slices = (): Slice[] => slicesOf(written());

function traced(world: World, to = file): Process {
  return world.start({ env: { TENSORPOOL_ENGINE: world.api.url, TENSORPOOL_KEY: KEY, TENSORPOOL_TRACE: to } });
}

test("a trace has each operation on its resource's row, its requests inside it, and the pauses", async () => {
  await using world = await startWorld();
  world.api.addFault({ kind: "too-many", retryAfter: 7, on: "POST /cluster/create" });
  const up = traced(world);
  const [cluster] = await world.run(
    Promise.all([up.make("cluster", "train", CLUSTER), up.make("storageVolume", "data", VOLUME)]),
  );
  await world.run(up.destroy(cluster));
  const all = slices();
  const operations = all.filter(({ row, depth }) => row !== "pauses (429)" && depth === 0);
  const shown = operations.map(({ row, name, args }) => [row, name, args["outcome"]]);
  expect(shown).toContainEqual(["cluster train", "create", "done"]);
  expect(shown).toContainEqual(["storage volume data", "create", "done"]);
  expect(shown).toContainEqual(["cluster train", "delete", "done"]);
  expect(all.every(({ endMs }) => endMs !== undefined)).toBe(true);
  // Two lines of nesting at most: requests at the same time never lie in each other.
  expect(Math.max(...all.map(({ depth }) => depth))).toBe(1);
  const sent = all.filter(({ name }) => / \//.test(name));
  expect(sent.map(({ args }) => `${String(args["status"])} ${String(args["path"])}`).toSorted()).toEqual(
    world
      .entries()
      .map(({ status, path: sentPath }) => `${status} ${sentPath}`)
      .toSorted(),
  );
  const polls = sent.filter(({ name }) => name === "GET /request/info/{}");
  expect(polls.map(({ row }) => row)).toContain("cluster train");
  expect(polls[0]?.args).toMatchObject({ status: 200, path: expect.stringMatching(/^\/request\/info\/r-/) });
  const pauses = all.filter(({ row }) => row === "pauses (429)");
  expect(pauses.map(({ atMs, endMs = 0 }) => Math.round((endMs - atMs) / 1000))).toEqual([7]);
});

test("the requests of one operation at the same time lie on lines of their own", async () => {
  await using world = await startWorld();
  await world.run(traced(world).make("cluster", "train", CLUSTER));
  expect(slices().slice(0, 3)).toMatchObject([
    { row: "cluster train", name: "create", depth: 0 },
    { row: "cluster train", name: "GET /cluster/list", depth: 1 },
    { row: "cluster train", name: "GET /cluster/list", depth: 0 },
  ]);
});

const LIST: HttpRequest = {
  method: "GET",
  url: "https://engine.test/cluster/list",
  route: "/cluster/list",
  headers: {},
  body: null,
  signal: AbortSignal.timeout(60_000),
};
const OK: HttpResponse = { status: 200, header: () => undefined, body: "{}" };

test("a request that outlives its operation, for others that share its list, is shown inside it and not after it", async () => {
  const trace = startTrace(file, virtualClock(), expect.unreachable);
  const answer = Promise.withResolvers<HttpResponse>();
  const send = trace.transport(
    () => answer.promise,
    (words) => words,
  );
  const sent: Promise<unknown>[] = [];
  let inside = AsyncLocalStorage.snapshot();
  const stopped = trace.operation({ id: "a", name: "cluster a" }, "create", async () => {
    inside = AsyncLocalStorage.snapshot();
    sent.push(send(LIST));
    throw new TypeError("stopped");
  });
  await expect(stopped).rejects.toThrow("stopped");
  sent.push(inside(send, LIST));
  await trace.operation({ id: "a", name: "cluster a" }, "delete", async () => undefined);
  answer.resolve(OK);
  await Promise.all(sent);
  expect(slices().map(({ row, name, depth, args }) => [row, name, depth, args["outcome"] ?? args["status"]])).toEqual([
    ["cluster a", "create", 0, "TypeError"],
    ["cluster a", "GET /cluster/list", 1, "left to others"],
    ["others", "GET /cluster/list", 0, 200],
    ["cluster a", "delete", 0, "done"],
  ]);
});

test("what a request is shown with has gone through scrub", async () => {
  const trace = startTrace(file, virtualClock(), expect.unreachable);
  const scrub = (words: string): string => words.replaceAll(KEY, "(API key)");
  const answers = [
    async () => ({ ...OK, status: 429, header: () => `7 ${KEY}` }),
    async () => Promise.reject(new Error(`no ${KEY}`)),
  ];
  for (const answer of answers) {
    const send = trace.transport(answer, scrub);
    await send(LIST).catch(() => undefined);
  }
  expect(slices().map(({ args }) => args)).toEqual([
    { path: "/cluster/list", status: 429, retryAfter: "7 (API key)" },
    { path: "/cluster/list", outcome: "Error: no (API key)" },
  ]);
});

test("operations of one URN at the same time lie on lines of their own", async () => {
  const trace = startTrace(file, virtualClock(), expect.unreachable);
  const first = Promise.withResolvers<undefined>();
  const resource = { id: "a", name: "cluster a" };
  const deletes = [
    trace.operation(resource, "delete", async () => first.promise),
    trace.operation(resource, "delete", async () => undefined),
  ];
  await deletes[1];
  first.resolve(undefined);
  await deletes[0];
  expect(slices().map(({ row, depth }) => [row, depth])).toEqual([
    ["cluster a", 0],
    ["cluster a", 0],
  ]);
});

test("a file that is there and empty, as mktemp makes it, begins as a new one does", async () => {
  writeFileSync(file, "");
  await startTrace(file, virtualClock(), expect.unreachable).operation({ id: "a", name: "a" }, "read", async () => 1);
  expect(slices()).toHaveLength(1);
});

test("a run that is killed leaves what it was at, and the next one adds to the file", async () => {
  await using world = await startWorld();
  const killed = new Promise<never>((_resolve, reject) => {
    void world.clock.sleep(2_500).then(() => reject(new Error("killed")));
  });
  const up = traced(world);
  await expect(world.run(Promise.race([killed, up.make("cluster", "train", CLUSTER)]))).rejects.toThrow("killed");
  expect(slices()).toContainEqual(expect.objectContaining({ row: "cluster train", name: "create", endMs: undefined }));
  const before = written();
  await world.run(traced(world).make("storageVolume", "data", VOLUME));
  expect(written().startsWith(before)).toBe(true);
  expect(slices().map(({ row }) => row)).toContain("storage volume data");
});

test("a trace holds neither the key nor what is sent or answered", async () => {
  await using world = await startWorld();
  const up = traced(world);
  await world.run(up.make("sshKey", "me", SSH_KEY));
  await expect(world.run(up.get("cluster", "odd", `c-${KEY}`))).rejects.toThrow("(API key)");
  const text = written();
  expect(text).toContain("POST /user/ssh-key/add");
  expect(text).toContain("c-(API key)");
  expect(text).not.toContain(KEY);
  expect(text).not.toContain("ssh-ed25519");
});

test("a key with letters that a path encodes is in no trace and in no error either", async () => {
  await using world = await startWorld();
  const env = { TENSORPOOL_ENGINE: world.api.url, TENSORPOOL_KEY: "tp/key=1", TENSORPOOL_TRACE: file };
  const getting = world.run(world.start({ env }).get("cluster", "odd", "c-tp/key=1"));
  await expect(getting).rejects.toThrow("Cannot GET /cluster/info/c-(API key)");
  expect(written()).toContain("/cluster/info/c-(API key)");
  expect(written()).not.toContain("tp%2Fkey");
});

test("a file that cannot be written is said once, and stops nothing", async () => {
  await using world = await startWorld();
  const { reasons } = await world.run(
    traced(world, path.join(folder, "no/run.json")).make("cluster", "train", CLUSTER),
  );
  expect(reasons).toEqual([]);
  const warnings = world.lines.filter(({ severity }) => severity === "warning").map(({ message }) => message);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Cannot write the trace that TENSORPOOL_TRACE asks for: ENOENT.* The run goes on without it$/,
    ),
  ]);
});

test("without TENSORPOOL_TRACE, or with an empty one, nothing is written", async () => {
  await using world = await startWorld();
  const before = readdirSync(".");
  await world.run(world.start().make("cluster", "train", CLUSTER));
  await world.run(traced(world, "").make("storageVolume", "data", VOLUME));
  expect(readdirSync(".")).toEqual(before);
  expect(world.lines.filter(({ severity }) => severity === "warning")).toEqual([]);
});
