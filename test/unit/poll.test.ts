import { describe, expect, test } from "vitest";
import * as routes from "../../provider/api/routes.ts";
import { text } from "../../provider/json.ts";
import { poll } from "../../provider/wait/poll.ts";
import { broken, type FakeContext, fakeContext, type Move } from "./fake-context.ts";

function pollName(context: FakeContext): Promise<string> {
  return context.clock.run(
    poll(context, "waiting for a name", async () => {
      const { body } = await context.api.call(routes.clusterInfo, {
        id: "c-1",
        signal: context.signal,
        mostAttempts: 1,
      });
      return text(body, "name");
    }),
  );
}

const named: Move = { body: { name: "train" } };

describe("poll()", () => {
  test("gives the value without a further wait when it is there", async () => {
    const context = fakeContext([named]);
    const startMs = context.clock.now();
    await expect(pollName(context)).resolves.toBe("train");
    expect(context.clock.now()).toBe(startMs);
  });

  test("asks in its own interval when there is no value yet", async () => {
    const context = fakeContext([{}, {}, {}, named]);
    const startMs = context.clock.now();
    await pollName(context);
    expect(context.sent.map(({ atMs }) => atMs - startMs)).toEqual([0, 1_000, 2_000, 3_000]);
    expect(context.progress[0]).toEqual({ status: "waiting for a name", nextAtMs: startMs + 1_000 });
  });

  test.for([{ status: 500 }, { status: 404 }, { body: "[" }, broken("ECONNRESET")] satisfies Move[])(
    "asks again when the question gets %j",
    async (move) => {
      const context = fakeContext([move, move, named]);
      await expect(pollName(context)).resolves.toBe("train");
    },
  );

  test("is not early when the server asks for time with a 503", async () => {
    const context = fakeContext([{ status: 503, headers: { "retry-after": "20" } }, named]);
    const startMs = context.clock.now();
    await pollName(context);
    expect((context.sent[1]?.atMs ?? 0) - startMs).toBe(20_000);
  });

  test.for([401, 403])("rejects when the key is refused with %d", async (status) => {
    const context = fakeContext([{}, { status }]);
    await expect(pollName(context)).rejects.toThrow(`answered ${status}`);
  });

  test("rejects with the error when it is none of the API's", async () => {
    const context = fakeContext([named]);
    const failing = poll(context, "waiting", () => Promise.reject(new RangeError("ours")));
    await expect(failing).rejects.toThrow(RangeError);
  });

  test("rejects with the reason when it is stopped between two questions", async () => {
    const context = fakeContext([{ after: () => queueMicrotask(() => context.stop.abort(new Error("stopped"))) }]);
    await expect(pollName(context)).rejects.toThrow("stopped");
  });
});
