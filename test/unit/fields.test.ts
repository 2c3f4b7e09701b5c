import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  idOf,
  isUnknown,
  nameText,
  nearest,
  plainText,
  trueOrFalse,
  UNKNOWN,
  usd,
  wholeNumber,
} from "../../provider/operations/fields.ts";
import { unknownValue } from "./resources.ts";

describe("isUnknown()", () => {
  test("finds the engine's sentinel when it is at any depth", () => {
    fc.assert(
      fc.property(unknownValue, (value) => {
        expect(isUnknown(value)).toBe(true);
      }),
    );
  });

  test("is false when the value holds none", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isUnknown(value)).toBe(false);
      }),
    );
    expect(isUnknown(undefined)).toBe(false);
    expect(isUnknown(`${UNKNOWN}-1`)).toBe(false);
  });
});

const tables = [
  {
    name: "nameText()",
    wrong: nameText,
    good: ["a", " a ", "x".repeat(128), "日本", "a/b"],
    bad: ["", " ", "\t", "a\nb", "a\u0000", "\u0085", "x".repeat(129), 7, null, undefined, ["a"], {}],
  },
  { name: "plainText()", wrong: plainText, good: ["a", "a\nb"], bad: ["", " \n", 1, null, undefined, []] },
  { name: "trueOrFalse()", wrong: trueOrFalse, good: [true, false], bad: ["true", 1, 0, null, undefined, []] },
  {
    name: "wholeNumber()",
    wrong: wholeNumber("GB", 500),
    good: [1, 2, 500, Number.MAX_SAFE_INTEGER],
    bad: [0, -0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1", null, undefined, [1], true],
  },
  {
    name: "usd()",
    wrong: usd,
    good: [1, 0.01, 1e6],
    // A text of config that is no number becomes NaN, which must not be taken for "no limit".
    bad: [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "30", null, undefined, [1], true],
  },
  {
    name: "idOf()",
    wrong: idOf("a cluster", "c-…", { "s-": "a storage volume's" }),
    good: ["c-1", "request:r-1", "anything"],
    bad: ["", " ", "s-1", 7, null, undefined, ["c-1"]],
  },
];

test.for(tables)("$name takes what is right and says what is expected when it is wrong", ({ wrong, good, bad }) => {
  for (const value of good) expect(wrong(value)).toBeUndefined();
  for (const value of bad) expect(wrong(value)).toMatch(/^(a|an|the|true) /);
});

test("idOf() says whose id it is when it tells of another kind", () => {
  const wrong = idOf("a cluster", "c-…", { "s-": "a storage volume's" });
  expect(wrong("s-1")).toBe("the id of a cluster, such as c-…; this one is a storage volume's");
});

describe("nearest()", () => {
  test.for([
    ["instancetype", "instanceType"],
    ["instanceTpye", "instanceType"],
    ["numNode", "numNodes"],
    ["sizeGB", "sizeGb"],
    ["completelyDifferent", undefined],
    ["", undefined],
  ] as const)("finds the word when %j is written", ([word, expected]) => {
    expect(nearest(word, ["instanceType", "numNodes", "sizeGb"])).toBe(expected);
  });

  test("gives nothing when there are no words", () => {
    expect(nearest("a", [])).toBeUndefined();
  });

  test("gives the word itself when it is among the words", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ maxLength: 12 }), { minLength: 1, selector: (one) => one.toLowerCase() }),
        (words) => {
          for (const word of words) expect(nearest(word, words)).toBe(word);
        },
      ),
    );
  });
});
