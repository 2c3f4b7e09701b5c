import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flag, isFields, number, objects, parseFields, text, texts } from "../../provider/json.ts";

test.for(["", "null", "7", '"text"', "[]", "{", "undefined", '{"a":1}x'])(
  "parseFields() gives nothing when the text is %j",
  (raw) => {
    expect(parseFields(raw)).toBeUndefined();
  },
);

test("parseFields() gives the object when the text is one in JSON", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (fields) => {
      const raw = JSON.stringify(fields);
      expect(JSON.stringify(parseFields(raw))).toBe(raw);
    }),
  );
});

describe("readers", () => {
  const fields = { text: "a", empty: "", zero: 0, infinite: Number.POSITIVE_INFINITY, no: false, list: ["a", 1, {}] };

  test("text() gives nothing when the value is empty or no text", () => {
    expect(Object.keys(fields).map((key) => text(fields, key))).toEqual(["a", ...Array(5).fill(undefined)]);
    expect(text(fields, "constructor")).toBeUndefined();
  });

  test("number() gives nothing when the value is not finite or no number", () => {
    expect(Object.keys(fields).map((key) => number(fields, key) ?? "-")).toEqual(["-", "-", 0, "-", "-", "-"]);
  });

  test("flag() gives false when the value is false, and nothing when it is no flag", () => {
    expect([flag(fields, "no"), flag(fields, "zero"), flag(fields, "absent")]).toEqual([false, undefined, undefined]);
  });

  test("texts() and objects() skip what is neither when the list is mixed", () => {
    expect([texts(fields, "list"), objects(fields, "list")]).toEqual([["a"], [{}]]);
    expect([texts(fields, "text"), objects(fields, "absent")]).toEqual([undefined, undefined]);
  });

  test.for([null, undefined, 1, "a", [], true])("isFields() is false when the value is %j", (value) => {
    expect(isFields(value)).toBe(false);
  });
});
