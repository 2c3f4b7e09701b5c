import { describe, expect, test } from "vitest";
import { AnswerLostError, StoppedError } from "../../provider/errors.ts";
import { storageAttachmentResource } from "../../provider/operations/storage-attachment.ts";
import { broken, type FakeContext, fakeContext, type Move } from "./fake-context.ts";

const ends = { clusterId: "c-1", storageId: "s-1" };
const placeholders = { clusterId: "request:r-1", storageId: "request:r-2" };
const ATTACHED: Move = { body: { storage_info: { attached_clusters: ["c-1"] } } };
const DETACHED: Move = { body: { storage_info: { attached_clusters: [] } } };

/** Stops the context's waits as soon as the transport has got the request number `count`. */
function stopsAt(context: FakeContext, count: number): FakeContext {
  const push = context.sent.push.bind(context.sent);
  context.sent.push = (...some) => {
    const length = push(...some);
    if (length === count) setImmediate(() => context.stop.abort(new StoppedError("cancelled", 1_000)));
    return length;
  };
  return context;
}

describe("storageAttachmentResource.update()", () => {
  test("keeps what the placeholders stand for when nothing is pending", async () => {
    const context = fakeContext([]);
    const olds = { ...placeholders, __resolved: ends };
    const outputs = await storageAttachmentResource.update(context, "c-1/s-1", olds, { ...placeholders, timeouts: {} });
    expect(outputs).toMatchObject({ ...placeholders, __resolved: ends });
    expect(context.sent).toHaveLength(0);
  });

  test("keeps what the placeholders stand for, and adds no id, when it has waited for a pending attach", async () => {
    const context = fakeContext([{ body: { status: "COMPLETED" } }, ATTACHED]);
    const olds = {
      ...placeholders,
      __resolved: ends,
      __pending: { requestIds: ["r-9"], sinceMs: 0 },
    };
    const updating = storageAttachmentResource.update(context, "c-1/s-1", olds, placeholders);
    const outputs = await context.clock.run(updating);
    expect(outputs).toMatchObject({ ...placeholders, __resolved: ends, __pending: undefined });
    expect(outputs).not.toHaveProperty("id");
  });
});

describe("storageAttachmentResource", () => {
  test("create() tells that the answer was lost when it is stopped while it looks for a lost attach", async () => {
    const context = stopsAt(fakeContext([{}, DETACHED, DETACHED, broken("ECONNRESET"), DETACHED]), 4);
    const creating = storageAttachmentResource.create(context, ends);
    await expect(creating).rejects.toThrow(AnswerLostError);
    expect(context.sent.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("destroy() tells that the detach may go on when it is stopped after it was accepted", async () => {
    const accepted: Move = { status: 202, body: { request_id: "r-1" }, headers: { "retry-after": "60" } };
    const context = stopsAt(fakeContext([{}, ATTACHED, ATTACHED, accepted]), 4);
    const destroying = storageAttachmentResource.destroy(context, "c-1/s-1", { ...ends, __keyId: context.keyId });
    await expect(destroying).rejects.toThrow(/may go on at the server. Run the command again/);
  });
});
