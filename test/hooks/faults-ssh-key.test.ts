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
  { fault: { kind: "reset" }, ends: "ready" },
  { fault: { kind: "status" }, ends: "ready" },
  { fault: { kind: "reset", times: 2 }, ends: "error", says: /Cannot tell whether POST .*ssh-key\/add took effect/ },
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

describe.for([SSH_KEY, { ...SSH_KEY, name: "laptop" }])("create of an SSH key %o", (args) => {
  test.for([...on("POST /user/ssh-key/add", ADD), ...on("GET /user/ssh-key/list", LIST)])(
    "with %s",
    async ([, { fault, ends, says }]) => {
      await using world = await startWorld({ faults: [fault] });
      const first = await world.run(outcomeOf(world.start().make("sshKey", "me", args)));
      expect(first).toMatchObject({ ends, ...(says && { words: expect.stringMatching(says) }) });
      expect(world.api.faultsFired()[fault.kind]).toBeGreaterThan(0);
      const wanted = { kind: "sshKey", name: "me", args } as const;
      const kept = await converges(world, wanted, "kept" in first ? first.kept : undefined);
      await world.run(world.start().destroy(kept));
      // It was registered once: the server takes the same key again, and so knows no other one.
      await world.run(world.start().make("sshKey", "other", SSH_KEY));
    },
  );

  test("that is stopped while a lost one is looked for keeps what is there", async () => {
    await using world = await startWorld({ faults: [{ kind: "lost-answer", on: "POST /user/ssh-key/add" }] });
    const up = world.start();
    const making = up.make("sshKey", "me", args);
    await world.clock.advance(500);
    up.cancel();
    const made = await world.run(making);
    expect(made).toMatchObject({ id: expect.stringMatching(/^k-/), reasons: [] });
    expect(await world.run(world.start().again(made))).toMatchObject({ kind: "same" });
  });
});

test("two of one key do not both take what one of them has registered", async () => {
  await using world = await startWorld({ faults: [{ kind: "slow", seconds: 40, on: "POST /user/ssh-key/add" }] });
  const up = world.start();
  const making = ["one", "two"].map((name) => outcomeOf(up.make("sshKey", name, { ...SSH_KEY, name })));
  const all = await world.run(Promise.all(making));
  expect(all.map(({ ends }) => ends).sort()).toEqual(["error", "ready"]);
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
