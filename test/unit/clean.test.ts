import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clean } from "../../provider/hooks/clean.ts";

describe("clean()", () => {
  test("leaves only JSON when the fields hold what JSON has no word for", () => {
    const fields = {
      absent: undefined,
      nan: Number.NaN,
      infinite: Number.NEGATIVE_INFINITY,
      big: 1n,
      symbol: Symbol("s"),
      call: () => 1,
      when: new Date(0),
      never: new Date(Number.NaN),
      list: [undefined, Number.NaN, { deep: undefined, kept: 1 }],
      error: new Error("e"),
      nothing: null,
    };
    expect(clean(fields)).toEqual({
      nan: null,
      infinite: null,
      when: "1970-01-01T00:00:00.000Z",
      never: null,
      list: [null, null, { kept: 1 }],
      error: {},
      nothing: null,
    });
    expect(Object.keys(clean(fields))).not.toContain("absent");
  });

  test("changes nothing when the fields are JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        expect(JSON.stringify(clean(fields))).toBe(JSON.stringify(fields));
      }),
    );
  });

  test("gives what comes through JSON unchanged when the fields are anything", () => {
    const anything = fc.anything({ withDate: true, withBigInt: true, withMap: true, withSparseArray: true });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anything), (fields) => {
        const once = clean(fields);
        expect(clean(once)).toEqual(once);
        expect(JSON.parse(JSON.stringify(once))).toEqual(JSON.parse(JSON.stringify(clean(once))));
        expect(JSON.stringify(once)).not.toContain("undefined:");
      }),
    );
  });
});
