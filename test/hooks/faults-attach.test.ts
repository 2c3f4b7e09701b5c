import { describe, expect, test } from "vitest";
import type { Props } from "../engine/plugin.ts";
import { converges, early, on, outcomeOf, type Row } from "./outcome.ts";
import { startWorld, type World } from "./world.ts";

interface AttachRow extends Row {
  /** How often the attach is sent in the first run. */
  readonly sent: number;
}

const ATTACH: AttachRow[] = [
  { fault: { kind: "lost-answer" }, ends: "ready", sent: 1 },
  { fault: { kind: "acted-status" }, ends: "ready", sent: 1 },
  { fault: { kind: "acted-status", status: 408 }, ends: "ready", sent: 1 },
  { fault: { kind: "broken-json" }, ends: "ready", sent: 1 },
  { fault: { kind: "list-json" }, ends: "ready", sent: 1 },
  { fault: { kind: "empty" }, ends: "ready", sent: 1 },
  { fault: { kind: "huge-json" }, ends: "ready", sent: 1 },
  { fault: { kind: "slow", seconds: 20 }, ends: "ready", sent: 1 },
  { fault: { kind: "slow", seconds: 40 }, ends: "ready", sent: 1 },
  { fault: { kind: "reset" }, ends: "ready", sent: 2 },
  { fault: { kind: "status" }, ends: "ready", sent: 2 },
  { fault: { kind: "too-many", retryAfter: 20 }, ends: "ready", sent: 2 },
  {
    fault: { kind: "reset", times: 2 },
    ends: "error",
    says: /Cannot tell whether POST \/storage\/attach took effect/,
    sent: 2,
  },
  { fault: { kind: "status", status: 400 }, ends: "error", says: /answered 400/, sent: 1 },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/, sent: 1 },
  { fault: { kind: "status", status: 402 }, ends: "error", says: /Top up the balance/, sent: 1 },
  { fault: { kind: "status", status: 403 }, ends: "error", says: /lacks this permission/, sent: 1 },
  { fault: { kind: "status", status: 409 }, ends: "error", says: /answered 409/, sent: 1 },
  { fault: { kind: "status", status: 422 }, ends: "error", says: /answered 422/, sent: 1 },
  { fault: { kind: "failed", message: "Node hangs" }, ends: "error", says: /FAILED: Node hangs/, sent: 1 },
  { fault: { kind: "failed", keepObject: true }, ends: "error", says: /FAILED/, sent: 1 },
  {
    fault: { kind: "stuck", seconds: 120 },
    ends: "init error",
    says: /limit of 90 s.*goes on at the server \(request r-.*pulumi up/s,
    sent: 1,
  },
  { fault: { kind: "takes", seconds: 60 }, ends: "ready", sent: 1 },
  { fault: { kind: "unknown-status" }, ends: "ready", sent: 1 },
  { fault: { kind: "request-lost" }, ends: "ready", sent: 1 },
];

const LOOK: AttachRow[] = [
  { fault: { kind: "status", times: 4 }, ends: "ready", sent: 1 },
  { fault: { kind: "broken-json", times: 4 }, ends: "ready", sent: 1 },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/, sent: 0 },
  { fault: { kind: "status", times: "always" }, ends: "error", says: /limit of 90 s|503 after 5 attempts/, sent: 0 },
];

const POLL: AttachRow[] = [
  { fault: { kind: "status", times: 6 }, ends: "ready", sent: 1 },
  { fault: { kind: "broken-json", times: 6 }, ends: "ready", sent: 1 },
  { fault: { kind: "too-many", retryAfter: 20, times: "always" }, ends: "init error", says: /limit of 90 s/, sent: 1 },
  { fault: { kind: "status", status: 404, times: "always" }, ends: "ready", sent: 1 },
  { fault: { kind: "status", status: 401 }, ends: "init error", says: /Check the API key/, sent: 1 },
];

const TABLE = [
  ...on("POST /storage/attach", ATTACH),
  ...on("GET /cluster/info/{id}", LOOK),
  ...on("GET /storage/info/{id}", LOOK),
  ...on("GET /request/info/{id}", POLL),
];

const ends = (world: World): Props => ({
  clusterId: world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 }),
  storageId: world.api.addVolume(),
});

const sent = (world: World): number => world.entries().filter(({ path }) => path === "/storage/attach").length;

describe("attach", () => {
  test.for(TABLE)("with %s", async ([, { fault, ends: how, says, sent: often }]) => {
    await using world = await startWorld({ faults: [fault] });
    const args = ends(world);
    const making = world.start().make("storageAttachment", "link", { ...args, timeouts: { create: 90 } });
    const first = await world.run(outcomeOf(making));
    expect(first).toMatchObject({ ends: how, ...(says && { words: expect.stringMatching(says) }) });
    expect(world.api.faultsFired()[fault.kind]).toBeGreaterThan(0);
    expect(sent(world)).toBe(often);

    const kept = await converges(
      world,
      { kind: "storageAttachment", name: "link", args },
      "kept" in first ? first.kept : undefined,
    );
    expect(kept.id).toBe(`${String(args["clusterId"])}/${String(args["storageId"])}`);
    if (how !== "error") expect(sent(world)).toBe(often);
    expect(early(world)).toEqual([]);
  });

  test("is found again also when the lost one takes long", async () => {
    await using world = await startWorld({
      operationSeconds: 100,
      faults: [{ kind: "lost-answer", on: "POST /storage/attach" }],
    });
    await world.run(world.start().make("storageAttachment", "link", ends(world)));
    expect(sent(world)).toBe(1);
  });
});
