import { describe, expect, test } from "vitest";
import { converges, on, outcomeOf, type Row } from "./outcome.ts";
import { startWorld } from "./world.ts";

const CREATE: Row[] = [
  { fault: { kind: "lost-answer" }, ends: "ready" },
  { fault: { kind: "acted-status" }, ends: "ready" },
  { fault: { kind: "acted-status", times: 4 }, ends: "ready" },
  { fault: { kind: "broken-json" }, ends: "ready" },
  { fault: { kind: "list-json" }, ends: "ready" },
  { fault: { kind: "empty" }, ends: "ready" },
  { fault: { kind: "huge-json" }, ends: "ready" },
  { fault: { kind: "slow", seconds: 40 }, ends: "ready" },
  { fault: { kind: "too-many", retryAfter: 20 }, ends: "ready" },
  { fault: { kind: "reset", times: 4 }, ends: "ready" },
  { fault: { kind: "status", times: 4 }, ends: "ready" },
  { fault: { kind: "reset", times: 5 }, ends: "error", says: /no usable answer came after 5 attempts/ },
  { fault: { kind: "status", status: 400 }, ends: "error", says: /answered 400/ },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/ },
  { fault: { kind: "status", status: 403 }, ends: "error", says: /lacks this permission/ },
  { fault: { kind: "status", status: 409 }, ends: "error", says: /answered 409/ },
];

const LIST: Row[] = [
  { fault: { kind: "status", times: 4 }, ends: "ready" },
  { fault: { kind: "broken-json", times: 4 }, ends: "ready" },
  { fault: { kind: "status", times: "always" }, ends: "error", says: /503 after 5 attempts/ },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/ },
  { fault: { kind: "status", status: 400 }, ends: "error", says: /enable it once, in the TensorPool dashboard/ },
  { fault: { kind: "status", status: 404 }, ends: "error", says: /enable it once, in the TensorPool dashboard/ },
];

describe("create of a bucket", () => {
  test.for([...on("PUT /object-storage/bucket/create/{}", CREATE), ...on("GET /object-storage/bucket/list", LIST)])(
    "with %s",
    async ([, { fault, ends, says }]) => {
      await using world = await startWorld({ objectStorage: true, faults: [fault] });
      const first = await world.run(outcomeOf(world.start().make("bucket", "models", {})));
      expect(first).toMatchObject({ ends, ...(says && { words: expect.stringMatching(says) }) });
      expect(world.api.faultsFired()[fault.kind]).toBeGreaterThan(0);
      const wanted = { kind: "bucket", name: "models", args: {} } as const;
      const kept = await converges(world, wanted, "kept" in first ? first.kept : undefined);
      await world.run(world.start().destroy(kept));
      await world.run(world.start().destroy(kept));
    },
  );
});

const DELETE: Row<"gone" | "error">[] = [
  { fault: { kind: "lost-answer" }, ends: "gone" },
  { fault: { kind: "acted-status" }, ends: "gone" },
  { fault: { kind: "reset", times: 4 }, ends: "gone" },
  { fault: { kind: "status", times: 4 }, ends: "gone" },
  { fault: { kind: "slow", seconds: 40 }, ends: "gone" },
  { fault: { kind: "too-many" }, ends: "gone" },
  { fault: { kind: "status", status: 404 }, ends: "gone" },
  { fault: { kind: "status", status: 403 }, ends: "error", says: /lacks this permission/ },
  { fault: { kind: "status", status: 409 }, ends: "error", says: /Only an empty bucket can be deleted/ },
  { fault: { kind: "status", times: "always" }, ends: "error", says: /503 after 5 attempts/ },
];

describe("delete of a bucket", () => {
  test.for(on("DELETE /object-storage/bucket/delete/{}", DELETE))(
    "with %s",
    async ([, { fault, ends, says = /^$/ }]) => {
      await using world = await startWorld({ objectStorage: true });
      const made = await world.run(world.start().make("bucket", "models", {}));
      world.api.addFault(fault);
      const words = await world.run(
        world
          .start()
          .destroy(made)
          .then(
            () => "",
            (error: Error) => error.message,
          ),
      );
      expect(words).toMatch(says);
      expect(words === "").toBe(ends === "gone");
      world.api.clearFaults();
      await world.run(world.start().destroy(made));
      expect(await world.run(world.start().refresh(made))).toBeUndefined();
    },
  );
});
