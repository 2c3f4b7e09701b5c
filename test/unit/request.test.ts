import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError, RequestFailedError, StoppedError } from "../../provider/errors.ts";
import { type Verdict, waitForRequest } from "../../provider/wait/request.ts";
import { broken, type FakeContext, fakeContext, type Move } from "./fake-context.ts";

const COMPLETED: Move = { body: { status: "COMPLETED", object_id: "c-1" } };
const pending = (retryAfter?: string): Exclude<Move, Error> => ({
  body: { status: "PENDING" },
  headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
});

function wait(context: FakeContext, askAfterMs?: number, seen?: (atMs: number) => void): Promise<Verdict> {
  const sinceMs = context.clock.now();
  return context.clock.run(waitForRequest(context, { requestId: "r-1", sinceMs, askAfterMs }, seen));
}

/** Seconds between the start and each question. */
function askedAtS({ sent, clock }: FakeContext, startMs: number): number[] {
  expect(clock.now()).toBeGreaterThanOrEqual(startMs);
  return sent.map(({ atMs }) => (atMs - startMs) / 1000);
}

describe("waitForRequest()", () => {
  test("gives the object's id without a further wait when the answer is COMPLETED", async () => {
    const context = fakeContext([pending("5"), pending("7.5"), COMPLETED]);
    const startMs = context.clock.now();
    await expect(wait(context, startMs + 3_000)).resolves.toEqual({ kind: "completed", objectId: "c-1" });
    expect(askedAtS(context, startMs)).toEqual([3, 8, 15.5]);
    expect(context.clock.now()).toBe(startMs + 15_500);
  });

  test("asks after 1 s, and then in its own interval, when the server names no time", async () => {
    const context = fakeContext([pending("30"), pending(), pending(), COMPLETED]);
    const startMs = context.clock.now();
    await wait(context);
    expect(askedAtS(context, startMs)).toEqual([1, 31, 34.1, 37.51]);
  });

  test("asks at once when it goes on with an older request", async () => {
    const context = fakeContext([COMPLETED]);
    const startMs = context.clock.now();
    await context.clock.run(
      waitForRequest(context, { requestId: "r-1", sinceMs: startMs - 60_000, askAfterMs: undefined }),
    );
    expect(askedAtS(context, startMs)).toEqual([0]);
  });

  test("asks within a minute when the stored time is of a clock that is far ahead", async () => {
    const context = fakeContext([COMPLETED]);
    const startMs = context.clock.now();
    await wait(context, startMs + 86_400_000);
    expect(askedAtS(context, startMs)).toEqual([60]);
  });

  test("fails with the server's words when the answer is FAILED", async () => {
    const context = fakeContext([{ body: { status: "failed", external_message: "no capacity in us-east" } }]);
    const failed = wait(context);
    await expect(failed).rejects.toThrow(RequestFailedError);
    await expect(failed).rejects.toThrow(/r-1.*FAILED: no capacity in us-east/);
  });

  test.for([
    { status: 429 },
    { status: 500, body: "<html>" },
    { status: 503, body: { message: "busy" } },
    { status: 400 },
    { status: 200, body: "{ broken" },
    { status: 200, body: "[]" },
    { status: 200, body: {} },
    { status: 200, body: { status: "ON_HOLD" } },
    broken("ECONNRESET"),
    broken("ECONNREFUSED"),
  ] satisfies Move[])("goes on when a question gets %j", async (move) => {
    const context = fakeContext([move, move, pending("1"), move, COMPLETED]);
    await expect(wait(context)).resolves.toMatchObject({ kind: "completed" });
    expect(context.sent).toHaveLength(5);
  });

  test.for([401, 403])("ends when the key is refused with %d", async (status) => {
    const context = fakeContext([pending("1"), { status, body: { message: "no" } }]);
    await expect(wait(context)).rejects.toThrow(ApiError);
    expect(context.sent).toHaveLength(2);
  });

  test("says an undocumented status once when it comes again and again", async () => {
    const odd = { body: { status: "ON_HOLD" } };
    const context = fakeContext([odd, pending(), odd, { body: { status: "RETRYING" } }, odd, COMPLETED]);
    await wait(context);
    expect(context.said).toEqual(['info: request r-1 has the undocumented status "ON_HOLD"; going on to wait']);
  });

  test("takes the request as forgotten when it is missing three times over at least 30 s", async () => {
    const context = fakeContext([pending("1"), { status: 404 }]);
    const startMs = context.clock.now();
    await expect(wait(context)).resolves.toEqual({ kind: "forgotten" });
    const [, firstS = 0, ...laterS] = askedAtS(context, startMs);
    expect((laterS.at(-1) ?? 0) - firstS).toBeGreaterThanOrEqual(30);
    expect((laterS.at(-2) ?? 0) - firstS).toBeLessThan(30);
  });

  test("goes on when answers 404 do not come in a row", async () => {
    const missing: Move = { status: 404, headers: { "retry-after": "20" } };
    const context = fakeContext([
      missing,
      missing,
      pending("1"),
      missing,
      missing,
      { status: 500 },
      missing,
      COMPLETED,
    ]);
    await expect(wait(context)).resolves.toMatchObject({ kind: "completed" });
  });

  test("rejects with the reason when it is stopped while it waits", async () => {
    const context = fakeContext([pending("60")]);
    const sinceMs = context.clock.now();
    const waiting = waitForRequest(context, { requestId: "r-1", sinceMs, askAfterMs: undefined });
    await context.clock.advance(10_000);
    context.stop.abort(new StoppedError("cancelled", 1_000));
    await expect(waiting).rejects.toThrow(StoppedError);
    expect(context.sent).toHaveLength(1);
    expect(context.clock.sleepers).toBe(0);
  });

  test("tells each time what it learned about the next question when it is asked to keep it", async () => {
    const seen: number[] = [];
    const context = fakeContext([pending("5"), { status: 503, headers: { "retry-after": "9" } }, COMPLETED]);
    const startMs = context.clock.now();
    await wait(context, startMs, (atMs) => seen.push((atMs - startMs) / 1000));
    expect(seen).toEqual([5, 14]);
  });

  test("shows the latest word with the time of the next question when it waits", async () => {
    const context = fakeContext([pending("5"), { status: 503, headers: { "retry-after": "9" } }, COMPLETED]);
    const startMs = context.clock.now();
    await wait(context, startMs);
    const shown = context.progress.map(({ status, nextAtMs }) => [status, ((nextAtMs ?? 0) - startMs) / 1000]);
    expect(shown).toEqual([
      ["accepted", 0],
      ["PENDING", 5],
      ["answer 503", 14],
    ]);
  });

  test("is never earlier than allowed and ends when any answers come before the verdict", async () => {
    const header = fc.option(fc.integer({ min: 1, max: 90 }).map(String), { nil: undefined });
    const answer = fc.record({ status: fc.constantFrom(200, 429, 500, 503), header });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 6 }), async (answers) => {
        const moves = answers.map(({ status, header: retryAfter }) => ({ ...pending(retryAfter), status }));
        const context = fakeContext([...moves, COMPLETED]);
        await expect(wait(context)).resolves.toEqual({ kind: "completed", objectId: "c-1" });
        for (const [index, { header: retryAfter }] of answers.entries()) {
          const gapMs = (context.sent[index + 1]?.atMs ?? 0) - (context.sent[index]?.atMs ?? 0);
          expect(gapMs).toBeGreaterThanOrEqual(Math.min(Number(retryAfter ?? 0) * 1000, 60_000));
        }
      }),
      { numRuns: 25 },
    );
  });
});
