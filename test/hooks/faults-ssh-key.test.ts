import { describe, expect, test } from "vitest";
import { SSH_KEY } from "./args.ts";
import { converges, on, outcomeOf, type Row } from "./outcome.ts";
import { startWorld } from "./world.ts";

const ADD: Row[] = [
  { fault: { kind: "lost-answer" }, ends: "ready" },
  { fault: { kind: "acted-status" }, ends: "ready" },
  { fault: { kind: "broken-json" }, ends: "ready" },
  { fault: { kind: "list-json" }, ends: "ready" },
  { fault: { kind: "empty" }, ends: "ready" },
  { fault: { kind: "huge-json" }, ends: "ready" },
  { fault: { kind: "slow", seconds: 40 }, ends: "ready" },
  { fault: { kind: "too-many", retryAfter: 20 }, ends: "ready" },
  { fault: { kind: "reset" }, ends: "error", says: /Cannot tell whether POST .*ssh-key\/add took effect/ },
  { fault: { kind: "status" }, ends: "error", says: /Cannot tell whether/ },
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
];

describe("create of an SSH key", () => {
  test.for([...on("POST /user/ssh-key/add", ADD), ...on("GET /user/ssh-key/list", LIST)])(
    "with %s",
    async ([, { fault, ends, says }]) => {
      await using world = await startWorld({ faults: [fault] });
      const first = await world.run(outcomeOf(world.start().make("sshKey", "me", SSH_KEY)));
      expect(first).toMatchObject({ ends, ...(says && { words: expect.stringMatching(says) }) });
      expect(world.api.faultsFired()[fault.kind]).toBeGreaterThan(0);
      const wanted = { kind: "sshKey", name: "me", args: SSH_KEY } as const;
      const kept = await converges(world, wanted, "kept" in first ? first.kept : undefined);
      await world.run(world.start().destroy(kept));
      // It was registered once: the server takes the same key again, and so knows no other one.
      await world.run(world.start().make("sshKey", "other", SSH_KEY));
    },
  );
});

const REMOVE: Row<"gone" | "error">[] = [
  { fault: { kind: "lost-answer" }, ends: "gone" },
  { fault: { kind: "acted-status" }, ends: "gone" },
  { fault: { kind: "broken-json" }, ends: "gone" },
  { fault: { kind: "empty" }, ends: "gone" },
  { fault: { kind: "reset", times: 4 }, ends: "gone" },
  { fault: { kind: "status", times: 4 }, ends: "gone" },
  { fault: { kind: "slow", seconds: 40 }, ends: "gone" },
  { fault: { kind: "too-many" }, ends: "gone" },
  { fault: { kind: "status", status: 404 }, ends: "gone" },
  { fault: { kind: "status", status: 403 }, ends: "error", says: /lacks this permission/ },
  { fault: { kind: "status", times: "always" }, ends: "error", says: /503 after 5 attempts/ },
];

describe("delete of an SSH key", () => {
  test.for(on("DELETE /user/ssh-key/remove/{id}", REMOVE))("with %s", async ([, { fault, ends, says = /^$/ }]) => {
    await using world = await startWorld();
    const made = await world.run(world.start().make("sshKey", "me", SSH_KEY));
    world.api.addFault(fault);
    const removing = world.start().destroy(made);
    const words = await world.run(
      removing.then(
        () => "",
        (error: Error) => error.message,
      ),
    );
    expect(words).toMatch(says);
    expect(words === "").toBe(ends === "gone");
    world.api.clearFaults();
    await world.run(world.start().destroy(made));
    expect(await world.run(world.start().refresh(made))).toBeUndefined();
  });
});
