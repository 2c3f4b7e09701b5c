import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FieldTable, plainText } from "../../provider/operations/fields.ts";
import { inputsOf, objectIdOf, outputsOf, pendingOf, pulumiId, requestIn } from "../../provider/operations/state.ts";

const fields: FieldTable = {
  type: { wrong: plainText, change: "replaces" },
  name: { wrong: plainText, change: "updates" },
  adopt: { wrong: plainText, change: "stored" },
};
const hidden = { __provider: "text", __seed: "s", __urn: "u", timeouts: { create: 60 } };
const defined = (all: Readonly<Record<string, unknown>>): unknown => JSON.parse(JSON.stringify(all));

describe("outputsOf()", () => {
  test("holds arguments, hidden keys, what is live and what is pending when a create is under way", () => {
    const pending = { requestIds: ["r-1"], sinceMs: 5 } as const;
    const inputs = { type: "a", name: "n", adopt: null, ...hidden };
    const outputs = outputsOf(fields, inputs, { live: { status: "PENDING" }, keyId: "k", requestId: "r-1", pending });
    expect(defined(outputs)).toEqual({
      ...inputs,
      status: "PENDING",
      requestId: "r-1",
      __keyId: "k",
      __pending: pending,
    });
  });

  test("prefers what is live, then the arguments, then what was there before, when they differ", () => {
    const seen = { before: { type: "old", name: "old", extra: "old" }, live: { name: "live" }, keyId: "k" };
    expect(outputsOf(fields, { type: "new", name: "new" }, seen)).toMatchObject({
      type: "new",
      name: "live",
      extra: "old",
    });
  });

  test("forgets old hidden keys and finished work when they are not given again", () => {
    const before = { ...hidden, __pending: {}, __objectId: "c-1", __side: true, requestId: "r-1" };
    const outputs = outputsOf(fields, { type: "a", name: "n", adopt: null }, { before, keyId: "k" });
    expect(defined(outputs)).toEqual({ type: "a", name: "n", adopt: null, requestId: "r-1", __keyId: "k" });
  });

  test("notes the arguments that are open when some are", () => {
    expect(outputsOf(fields, { type: "a" }, { keyId: "k" })).toMatchObject({ __open: ["name", "adopt"] });
  });
});

describe("inputsOf()", () => {
  test("gives the live values of what the program has set when the resource is read", () => {
    const inputs = { type: "a", adopt: "c-1", ...hidden };
    const outputs = outputsOf(fields, inputs, { live: { type: "b", name: "n", status: "X" }, keyId: "k" });
    expect(defined(inputsOf(fields, outputs))).toEqual({ type: "b", adopt: "c-1", ...hidden });
  });

  test("gives back the inputs when nothing has changed", () => {
    const text = fc.option(fc.constantFrom("a", "b"), { nil: null });
    fc.assert(
      fc.property(fc.record({ type: text, name: text, adopt: text }, { requiredKeys: [] }), (given) => {
        const inputs = { ...given, ...hidden };
        const first = outputsOf(fields, inputs, { live: { status: "RUNNING" }, keyId: "k" });
        const again = outputsOf(fields, first, { before: first, keyId: "k" });
        expect(defined(inputsOf(fields, first))).toEqual(inputs);
        expect(defined(again)).toEqual(defined(first));
      }),
    );
  });
});

describe("pendingOf()", () => {
  test.for([undefined, null, "r-1", ["r-1"], 7])("gives nothing when the state holds %j", (stored) => {
    expect(pendingOf({ __pending: stored })).toBeUndefined();
  });

  test("gives what is there when the state of an older release lacks some", () => {
    expect(pendingOf({ __pending: {} })).toEqual({
      requestIds: [],
      sinceMs: 0,
      askAfterMs: undefined,
    });
    const whole = { requestIds: ["r-1"], sinceMs: 5, askAfterMs: 6 } as const;
    expect(pendingOf({ __pending: whole })).toEqual(whole);
  });
});

describe("placeholders", () => {
  test("pulumiId() is the server's id, or else made of the request, when it is not known", () => {
    expect([pulumiId("c-1", ["r-1"]), pulumiId(undefined, ["r-1", "r-2"])]).toEqual(["c-1", "request:r-1"]);
    expect(pulumiId(undefined, [])).not.toBe("");
  });

  test.for([
    ["c-1", {}, "c-1"],
    ["request:r-1", {}, undefined],
    ["request:r-1", { __objectId: "c-1" }, "c-1"],
    ["request:r-1", { __objectId: "" }, undefined],
  ] as const)(
    "objectIdOf() finds the server's id when Pulumi's is %s and the outputs are %j",
    ([id, outputs, expected]) => {
      expect(objectIdOf(id, outputs)).toBe(expected);
    },
  );

  test("requestIn() gives the request when the id is a placeholder", () => {
    expect([requestIn("request:r-1"), requestIn("c-1")]).toEqual([["r-1"], []]);
  });
});
