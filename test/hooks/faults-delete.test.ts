import { describe, expect, test } from "vitest";
import { BOUGHT } from "./args.ts";
import { billed, early, on, type Row } from "./outcome.ts";
import { startWorld } from "./world.ts";

interface DeleteRow extends Row<"gone" | "error"> {
  /** How often DELETE is sent in both runs together. @default any number */
  readonly sent?: number;
}

const DELETE: DeleteRow[] = [
  { fault: { kind: "lost-answer" }, ends: "gone", sent: 2 },
  { fault: { kind: "acted-status" }, ends: "gone", sent: 2 },
  { fault: { kind: "broken-json" }, ends: "gone", sent: 2 },
  { fault: { kind: "list-json" }, ends: "gone", sent: 2 },
  { fault: { kind: "empty" }, ends: "gone", sent: 1 },
  { fault: { kind: "huge-json" }, ends: "gone", sent: 2 },
  { fault: { kind: "slow", seconds: 20 }, ends: "gone", sent: 1 },
  { fault: { kind: "slow", seconds: 40 }, ends: "gone" },
  { fault: { kind: "reset", times: 4 }, ends: "gone", sent: 5 },
  { fault: { kind: "status", times: 4 }, ends: "gone", sent: 5 },
  { fault: { kind: "too-many", retryAfter: 20 }, ends: "gone", sent: 2 },
  { fault: { kind: "status", status: 400 }, ends: "error", says: /answered 400/, sent: 2 },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/, sent: 2 },
  { fault: { kind: "status", status: 402 }, ends: "error", says: /answered 402/, sent: 2 },
  { fault: { kind: "status", status: 403 }, ends: "error", says: /lacks this permission/, sent: 2 },
  { fault: { kind: "status", status: 404 }, ends: "error", says: /answered 404/, sent: 2 },
  { fault: { kind: "status", status: 409 }, ends: "error", says: /answered 409/, sent: 2 },
  { fault: { kind: "status", times: "always" }, ends: "error", says: /503 after 5 attempts/, sent: 6 },
  { fault: { kind: "lost-answer", times: "always" }, ends: "error", says: /after 5 attempts/ },
  {
    fault: { kind: "failed", message: "Node hangs" },
    ends: "error",
    says: /FAILED: Node hangs.*still billed.*Run the command again/s,
    sent: 2,
  },
  { fault: { kind: "failed", keepObject: false }, ends: "error", says: /FAILED/, sent: 1 },
  {
    fault: { kind: "stuck", seconds: 120 },
    ends: "error",
    says: /limit of 90 s.*accepted and goes on.*Run the command again/s,
    sent: 1,
  },
  { fault: { kind: "takes", seconds: 60 }, ends: "gone", sent: 1 },
  { fault: { kind: "unknown-status" }, ends: "gone", sent: 1 },
  { fault: { kind: "request-lost" }, ends: "gone", sent: 1 },
];

const INFO: DeleteRow[] = [
  { fault: { kind: "status", times: 4 }, ends: "gone", sent: 1 },
  { fault: { kind: "broken-json", times: 4 }, ends: "gone", sent: 1 },
  { fault: { kind: "status", times: "always" }, ends: "error", says: /limit of 90 s.*Nothing was sent/, sent: 1 },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/, sent: 1 },
  // A single 404 is not gone while a list still shows it.
  { fault: { kind: "status", status: 404 }, ends: "gone", sent: 1 },
  // After the DELETE.
  { fault: { kind: "status", after: 1, times: 20 }, ends: "gone", sent: 1 },
  { fault: { kind: "status", after: 1, times: "always" }, ends: "error", says: /limit of 90 s/, sent: 1 },
];

const LIST: DeleteRow[] = [
  { fault: { kind: "status", times: 20 }, ends: "gone", sent: 1 },
  { fault: { kind: "status", times: "always" }, ends: "error", says: /limit of 90 s/, sent: 1 },
];

const POLL: DeleteRow[] = [
  { fault: { kind: "status", times: 6 }, ends: "gone", sent: 1 },
  { fault: { kind: "broken-json", times: 6 }, ends: "gone", sent: 1 },
  { fault: { kind: "reset", times: 6 }, ends: "gone", sent: 1 },
  { fault: { kind: "too-many", retryAfter: 20, times: "always" }, ends: "error", says: /limit of 90 s/, sent: 1 },
  { fault: { kind: "status", status: 404, times: "always" }, ends: "gone", sent: 1 },
  { fault: { kind: "status", status: 401 }, ends: "error", says: /Check the API key/, sent: 1 },
];

const TABLE = BOUGHT.flatMap(({ kind, args, at }) =>
  [
    ...on(`DELETE ${at}/{id}`, DELETE),
    ...on(`GET ${at}/info/{id}`, INFO),
    ...on(`GET ${at}/list`, LIST),
    ...on("GET /request/info/{id}", POLL),
  ].map(([title, row]) => [title, { kind, args, ...row }] as const),
);

describe("delete", () => {
  test.for(TABLE)("with %s", async ([, { kind, args, fault, ends, says = /^$/, sent }]) => {
    await using world = await startWorld();
    const made = await world.run(world.start().make(kind, "train", { ...args, timeouts: { delete: 90 } }));
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
    if (ends === "gone") expect(billed(world)).toEqual([]);
    expect(world.api.faultsFired()[fault.kind]).toBeGreaterThan(0);

    world.api.clearFaults();
    await world.run(world.start().destroy(made));
    expect(billed(world)).toEqual([]);
    const deletes = world.entries().filter(({ method }) => method === "DELETE");
    if (sent !== undefined) expect(deletes).toHaveLength(sent);
    expect(early(world)).toEqual([]);
  });
});
