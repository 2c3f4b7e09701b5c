import { describe, expect, test } from "vitest";
import { BOUGHT } from "./args.ts";
import { billed, converges, early, everBilled, on, outcomeOf, type Row } from "./outcome.ts";
import { startWorld } from "./world.ts";

interface CreateRow extends Row {
  /** How many objects were ever billed when the create ends. */
  readonly bought: number;
  /** Seconds until the create ends, at most. @default 120 */
  readonly within?: number;
}

const POST: CreateRow[] = [
  { fault: { kind: "lost-answer" }, ends: "ready", bought: 1 },
  { fault: { kind: "acted-status" }, ends: "ready", bought: 1 },
  { fault: { kind: "acted-status", status: 500, body: "<html>" }, ends: "ready", bought: 1 },
  { fault: { kind: "acted-status", status: 408 }, ends: "ready", bought: 1 },
  { fault: { kind: "broken-json" }, ends: "ready", bought: 1 },
  { fault: { kind: "list-json" }, ends: "ready", bought: 1 },
  { fault: { kind: "empty" }, ends: "ready", bought: 1 },
  { fault: { kind: "huge-json" }, ends: "ready", bought: 1 },
  { fault: { kind: "slow", seconds: 20 }, ends: "ready", bought: 1 },
  { fault: { kind: "slow", seconds: 40 }, ends: "ready", bought: 1 },
  { fault: { kind: "reset" }, ends: "ready", bought: 1 },
  { fault: { kind: "status" }, ends: "ready", bought: 1 },
  { fault: { kind: "status", status: 500 }, ends: "ready", bought: 1 },
  { fault: { kind: "status", status: 408 }, ends: "ready", bought: 1 },
  { fault: { kind: "too-many", retryAfter: 20 }, ends: "ready", bought: 1 },
  { fault: { kind: "too-many", retryAfter: null, times: 5 }, ends: "ready", bought: 1 },
  {
    fault: { kind: "status", status: 400 },
    ends: "error",
    bought: 0,
    says: /answered 400: The service is in trouble/,
    within: 0,
  },
  { fault: { kind: "status", status: 401 }, ends: "error", bought: 0, says: /Check the API key/, within: 0 },
  { fault: { kind: "status", status: 402 }, ends: "error", bought: 0, says: /Top up the balance/, within: 0 },
  { fault: { kind: "status", status: 403 }, ends: "error", bought: 0, says: /lacks this permission/, within: 0 },
  { fault: { kind: "status", status: 409 }, ends: "error", bought: 0, says: /answered 409/, within: 6 },
  {
    fault: { kind: "status", status: 422, body: { detail: [{ msg: "no" }] } },
    ends: "error",
    bought: 0,
    says: /422: no/,
    within: 0,
  },
  {
    fault: { kind: "no-capacity", status: 409 },
    ends: "error",
    bought: 0,
    says: /No capacity.*Nothing is billed/s,
    within: 0,
  },
  {
    fault: { kind: "status", status: 302, headers: { location: "http://127.0.0.1:9/" } },
    ends: "error",
    bought: 0,
    says: /Redirects are not followed/,
  },
  {
    fault: { kind: "too-many", retryAfter: 20, times: "always" },
    ends: "error",
    bought: 0,
    says: /limit of 90 s has passed before anything was sent/,
  },
];

const OPERATION: CreateRow[] = [
  {
    fault: { kind: "failed", message: "Node died" },
    ends: "error",
    bought: 1,
    says: /FAILED: Node died.*nothing is billed/s,
  },
  { fault: { kind: "no-capacity" }, ends: "error", bought: 1, says: /No capacity.*Nothing is billed/s },
  {
    fault: { kind: "failed", keepObject: true },
    ends: "init error",
    bought: 1,
    says: /FAILED: .* is still there and may be billed.*replace/s,
  },
  {
    fault: { kind: "completed-but-404" },
    ends: "init error",
    bought: 1,
    says: /Cannot find .* although the API reports .* COMPLETED/,
  },
  { fault: { kind: "completed-but-404", seconds: 20 }, ends: "ready", bought: 1 },
  {
    fault: { kind: "stuck", seconds: 120 },
    ends: "init error",
    bought: 1,
    says: /limit of 90 s.*goes on at the server \(request r-.*Run pulumi up/s,
  },
  { fault: { kind: "stuck", seconds: 60 }, ends: "ready", bought: 1 },
  { fault: { kind: "takes", seconds: 60 }, ends: "ready", bought: 1 },
  { fault: { kind: "unknown-status", polls: 3 }, ends: "ready", bought: 1 },
  { fault: { kind: "request-lost" }, ends: "ready", bought: 1 },
  { fault: { kind: "unlisted" }, ends: "ready", bought: 1 },
];

const LOOK: CreateRow[] = [
  { fault: { kind: "status", times: 4 }, ends: "ready", bought: 1 },
  { fault: { kind: "reset", times: 4 }, ends: "ready", bought: 1 },
  { fault: { kind: "broken-json", times: 4 }, ends: "ready", bought: 1 },
  { fault: { kind: "too-many", times: 4 }, ends: "ready", bought: 1 },
  { fault: { kind: "slow", seconds: 40 }, ends: "ready", bought: 1 },
  { fault: { kind: "status", times: "always" }, ends: "error", bought: 0, says: /503 after 5 attempts/ },
  {
    fault: { kind: "lost-answer", times: "always" },
    ends: "error",
    bought: 0,
    says: /no usable answer came after 5 attempts/,
  },
  { fault: { kind: "list-json", times: "always" }, ends: "error", bought: 0, says: /no JSON object/ },
  { fault: { kind: "status", status: 401 }, ends: "error", bought: 0, says: /Check the API key/ },
];

const POLL: CreateRow[] = [
  { fault: { kind: "status", times: 6 }, ends: "ready", bought: 1 },
  { fault: { kind: "too-many", retryAfter: 20, times: 2 }, ends: "ready", bought: 1 },
  {
    fault: { kind: "too-many", retryAfter: 20, times: "always" },
    ends: "init error",
    bought: 1,
    says: /limit of 90 s.*goes on/s,
  },
  { fault: { kind: "status", times: "always" }, ends: "init error", bought: 1, says: /limit of 90 s.*goes on/s },
  {
    fault: { kind: "slow", seconds: 40, times: "always" },
    ends: "init error",
    bought: 1,
    says: /limit of 90 s.*goes on/s,
  },
  { fault: { kind: "status", status: 404, times: "always" }, ends: "ready", bought: 1 },
  { fault: { kind: "status", status: 401 }, ends: "init error", bought: 1, says: /Check the API key/ },
];

const READY: CreateRow[] = [
  {
    fault: { kind: "too-many", retryAfter: 20, times: "always" },
    ends: "init error",
    bought: 1,
    says: /limit of 90 s/,
  },
  { fault: { kind: "status", times: 20 }, ends: "ready", bought: 1 },
  { fault: { kind: "empty", times: 20 }, ends: "ready", bought: 1 },
  { fault: { kind: "status", times: "always" }, ends: "init error", bought: 1, says: /limit of 90 s/ },
  { fault: { kind: "status", status: 403 }, ends: "init error", bought: 1, says: /lacks this permission/ },
  { fault: { kind: "status", status: 404, times: 3 }, ends: "ready", bought: 1 },
];

const TABLE = BOUGHT.flatMap(({ kind, args, at }) =>
  [
    ...on(`POST ${at}/create`, [...POST, ...OPERATION]),
    ...on(`GET ${at}/list`, LOOK),
    ...on("GET /request/info/{id}", POLL),
    ...on(`GET ${at}/info/{id}`, READY),
  ].map(([title, row]) => [title, { kind, args, ...row }] as const),
);

describe("create", () => {
  test.for(TABLE)("with %s", async ([, row]) => {
    const { kind, args, fault, ends, bought, says, within = 120 } = row;
    await using world = await startWorld({ faults: [fault] });
    const making = outcomeOf(world.start().make(kind, "train", { ...args, timeouts: { create: 90 } }));
    expect(await world.seconds(making)).toBeLessThanOrEqual(within);
    const first = await making;
    expect(first).toMatchObject({ ends, ...(says && { words: expect.stringMatching(says) }) });
    expect(world.api.faultsFired()[fault.kind]).toBeGreaterThan(0);
    expect(everBilled(world)).toHaveLength(bought);
    const state = "kept" in first ? first.kept : undefined;
    if (state)
      expect(state).toMatchObject({ id: everBilled(world)[0], outputs: { ...args, __provider: expect.any(String) } });

    // Without a state nothing of a 429 is remembered: the user comes back later.
    if (state === undefined && fault.kind === "too-many") await world.clock.advance(20_000);
    const kept = await converges(world, { kind, name: "train", args }, state);
    expect(billed(world)).toEqual([kept.id]);
    expect(early(world)).toEqual([]);
  });
});
