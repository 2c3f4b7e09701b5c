import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clean } from "../../provider/hooks/clean.ts";
import type { Fields } from "../../provider/json.ts";
import { UNKNOWN } from "../../provider/operations/fields.ts";
import { CASES, unknownValue } from "./resources.ts";

/** Outputs as the engine has them after the resource was made of these inputs. */
const madeOf = (inputs: Fields): Fields =>
  clean({ ...inputs, status: "RUNNING", requestId: "r-1", __keyId: "01234567" });

describe.for(CASES)("$className", ({ resource, valid, keys }) => {
  test("check() finds no fault and leaves nothing undefined when the arguments are valid", () => {
    fc.assert(
      fc.property(valid, (news) => {
        const { inputs, failures } = resource.check({}, news);
        expect(failures).toEqual([]);
        expect(Object.values(inputs)).not.toContain(undefined);
        expect(inputs).toMatchObject(news);
      }),
    );
  });

  test("diff() finds no change when nothing was changed since the create", () => {
    fc.assert(
      fc.property(valid, (news) => {
        const first = clean(resource.check({}, news).inputs);
        const second = resource.check(first, news);
        expect(second).toMatchObject({ inputs: first, failures: [] });
        expect(resource.diff(madeOf(first), second.inputs)).toEqual({ changes: false, replaces: [] });
      }),
    );
  });

  test("check() fails no argument when it is unknown, at any depth", () => {
    fc.assert(
      fc.property(
        valid,
        fc.constantFrom(...keys, "__seed", "__urn"),
        unknownValue,
        valid,
        (news, key, value, before) => {
          for (const olds of [{}, clean(resource.check({}, before).inputs)]) {
            const { inputs, failures } = resource.check(olds, { ...news, [key]: value });
            expect(failures.filter(({ property }) => property === key)).toEqual([]);
            expect(inputs[key]).toEqual(value);
          }
        },
      ),
    );
  });

  test("check() fails nothing when everything is unknown", () => {
    const news = Object.fromEntries([...keys, "__seed", "__urn"].map((key) => [key, UNKNOWN]));
    expect(resource.check({}, news).failures).toEqual([]);
    expect(resource.check(news, news).failures).toEqual([]);
  });

  test("diff() shows a change, and never throws, when an argument becomes unknown", () => {
    fc.assert(
      fc.property(valid, fc.constantFrom(...keys), unknownValue, (news, key, value) => {
        const first = clean(resource.check({}, news).inputs);
        const second = resource.check(first, { ...news, [key]: value });
        const { changes } = resource.diff(madeOf(first), second.inputs);
        expect(changes).toBe(first[key] !== undefined);
      }),
    );
  });

  test("diff() gives true or false, never undefined, when the old outputs and the inputs are anything", () => {
    const some = fc.dictionary(
      fc.constantFrom(...keys, "status", "timeouts", "__pending", "__resolved"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(some, some, (olds, news) => {
        const { changes, replaces } = resource.diff(olds, news);
        expect(changes).toBeTypeOf("boolean");
        expect(changes || replaces.length === 0).toBe(true);
      }),
    );
  });

  test("check() never throws, and names a property in every failure, when the arguments are anything", () => {
    const some = fc.dictionary(fc.oneof(fc.constantFrom(...keys, "adopt", "timeouts"), fc.string()), fc.jsonValue());
    fc.assert(
      fc.property(some, some, (olds, news) => {
        for (const { property, reason } of resource.check(olds, news).failures) {
          expect(keys.includes(property) || property in news).toBe(true);
          expect(reason).toMatch(/^Cannot /);
        }
      }),
    );
  });
});
