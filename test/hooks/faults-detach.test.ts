import { describe, expect, test } from "vitest";
import { early, on, type Row } from "./outcome.ts";
import { startWorld } from "./world.ts";

interface DetachRow extends Row<"gone" | "error"> {
  /** How often the detach is sent in both runs together. */
  readonly sent: number;
}

const DETACH: DetachRow[] = [
  { fault: { kind: "lost-answer" }, ends: "gone", sent: 1 },
  { fault: { kind: "acted-status" }, ends: "gone", sent: 1 },
  { fault: { kind: "broken-json" }, ends: "gone", sent: 1 },
  { fault: { kind: "list-json" }, ends: "gone", sent: 1 },
  { fault: { kind: "empty" }, ends: "gone", sent: 1 },
  { fault: { kind: "huge-json" }, ends: "gone", sent: 1 },
  { fault: { kind: "slow", seconds: 20 }, ends: "gone", sent: 1 },
  { fault: { kind: "slow", seconds: 40 }, ends: "gone", sent: 1 },
  { fault: { kind: "too-many", retryAfter: 20 }, ends: "gone", sent: 2 },
  { fault: { kind: "reset" }, ends: "gone", sent: 2 },
  { fault: { kind: "status" }, ends: "gone", sent: 2 },
  {
    fault: { kind: "reset", times: 2 },
    ends: "error",
    says: /Cannot tell whether POST \/storage\/detach took effect/,
    sent: 3,
  },
  { fault: { kind: "status", status: 400 }, ends: "error", says: /answered 400/, sent: 2 },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/, sent: 2 },
  { fault: { kind: "status", status: 403 }, ends: "error", says: /lacks this permission/, sent: 2 },
  { fault: { kind: "status", status: 404 }, ends: "error", says: /answered 404/, sent: 2 },
  { fault: { kind: "status", status: 409 }, ends: "error", says: /answered 409/, sent: 2 },
  { fault: { kind: "failed", message: "Node hangs" }, ends: "error", says: /FAILED: Node hangs/, sent: 2 },
  { fault: { kind: "failed", keepObject: false }, ends: "error", says: /FAILED/, sent: 1 },
  { fault: { kind: "stuck", seconds: 120 }, ends: "error", says: /limit of 90 s/, sent: 1 },
  { fault: { kind: "takes", seconds: 60 }, ends: "gone", sent: 1 },
  { fault: { kind: "unknown-status" }, ends: "gone", sent: 1 },
  { fault: { kind: "request-lost" }, ends: "gone", sent: 1 },
];

const LOOK: DetachRow[] = [
  { fault: { kind: "status", times: 4 }, ends: "gone", sent: 1 },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/, sent: 1 },
  { fault: { kind: "status", times: "always" }, ends: "error", says: /limit of 90 s|503 after 5 attempts/, sent: 1 },
];

const POLL: DetachRow[] = [
  { fault: { kind: "status", times: 6 }, ends: "gone", sent: 1 },
  { fault: { kind: "broken-json", times: 6 }, ends: "gone", sent: 1 },
  { fault: { kind: "reset", times: 6 }, ends: "gone", sent: 1 },
  { fault: { kind: "too-many", retryAfter: 20, times: "always" }, ends: "error", says: /limit of 90 s/, sent: 1 },
  { fault: { kind: "status", status: 404, times: "always" }, ends: "gone", sent: 1 },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/, sent: 1 },
];

const TABLE = [
  ...on("POST /storage/detach", DETACH),
  ...on("GET /cluster/info/{id}", LOOK),
  ...on("GET /storage/info/{id}", LOOK),
  ...on("GET /request/info/{id}", POLL),
];

describe("detach", () => {
  test.for(TABLE)("with %s", async ([, { fault, ends, says = /^$/, sent }]) => {
    await using world = await startWorld();
    const clusterId = world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 });
    const args = { clusterId, storageId: world.api.addVolume(), timeouts: { delete: 90 } };
    const made = await world.run(world.start().make("storageAttachment", "link", args));
    world.api.addFault(fault);
    const detaching = world.start().destroy(made);
    const words = await world.run(
      detaching.then(
        () => "",
        (error: Error) => error.message,
      ),
    );
    expect(words).toMatch(says);
    expect(words === "").toBe(ends === "gone");
    expect(world.api.faultsFired()[fault.kind]).toBeGreaterThan(0);

    world.api.clearFaults();
    if (ends === "gone") expect(await world.run(world.start().refresh(made))).toBeUndefined();
    await world.run(world.start().destroy(made));
    expect(await world.run(world.start().refresh(made))).toBeUndefined();
    expect(world.entries().filter(({ path }) => path === "/storage/detach")).toHaveLength(sent);
    expect(early(world)).toEqual([]);
  });
});
