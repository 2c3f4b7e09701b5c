import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameText } from "../../provider/operations/fields.ts";
import { isMadeWith, ownName } from "../../provider/operations/name.ts";
import { SEED, urnOf } from "./resources.ts";

describe("ownName()", () => {
  test.for([
    ["train", "train"],
    ["My Cluster_2", "my-cluster-2"],
    ["--x--", "x"],
    ["a-very-long-logical-name-indeed", "a-very-long-logical"],
    ["Übung", "bung"],
    ["日本", "tensorpool"],
    ["...", "tensorpool"],
  ] as const)("begins with what is readable when the logical name is %s", ([logical, expected]) => {
    expect(ownName(SEED, urnOf("Cluster", logical))).toMatch(new RegExp(`^${expected}-[0-9a-f]{14}$`));
  });

  test("never changes when the package does: resources are found by it", () => {
    expect(ownName(SEED, urnOf("Cluster"))).toBe("train-e3bce49ae270dd");
  });

  test("is one that the API may be given when seed and URN are anything", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (seed, urn, side) => {
        const name = ownName(seed, urn, side);
        expect(name).toMatch(/^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?-[0-9a-f]{14}$/);
        expect(nameText(name)).toBeUndefined();
        expect(ownName(seed, urn, side)).toBe(name);
      }),
    );
  });

  test("shows that it was made with its seed, and with no other", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (seed, urn, side, other) => {
        const name = ownName(seed, urn, side);
        expect(isMadeWith(seed, name)).toBe(true);
        expect(isMadeWith(other, name)).toBe(other === seed);
        expect(isMadeWith(seed, `${name}-2`)).toBe(false);
      }),
    );
  });

  test("differs when any part of it differs", () => {
    const parts = fc.uniqueArray(fc.tuple(fc.string(), fc.string(), fc.string()), {
      selector: JSON.stringify,
      minLength: 2,
      maxLength: 2,
    });
    fc.assert(
      fc.property(parts, ([[...one] = [], [...other] = []]) => {
        const [a = "", b = "", c = ""] = one;
        const [d = "", e = "", f = ""] = other;
        expect(ownName(a, b, c).slice(-14)).not.toBe(ownName(d, e, f).slice(-14));
      }),
    );
  });
});
