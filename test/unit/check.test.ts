import { describe, expect, test } from "vitest";
import type { Fields } from "../../provider/json.ts";
import { type Checkable, check, ownNameOf } from "../../provider/operations/check.ts";
import { nameText, plainText, trueOrFalse, UNKNOWN, wholeNumber } from "../../provider/operations/fields.ts";
import { SEED, urnOf } from "./resources.ts";

const kind: Checkable = {
  className: "Thing",
  fields: {
    type: { wrong: plainText, change: "replaces", isRequired: true },
    count: { wrong: wholeNumber("nodes", 2), change: "replaces", default: 1 },
    name: { wrong: nameText, change: "updates" },
    note: { wrong: plainText, change: "updates" },
    isKept: { wrong: trueOrFalse, change: "updates", default: false },
    adopt: { wrong: plainText, change: "stored" },
  },
};
const own = { __seed: SEED, __urn: urnOf("Thing") };
const ownName = ownNameOf(kind.fields, own);
const inputsOf = (olds: Fields, news: Fields): Fields => check(kind, olds, { type: "a", ...own, ...news }).inputs;

describe("check()", () => {
  test("fills in the name and every default when the resource is new", () => {
    expect(inputsOf({}, {})).toEqual({
      type: "a",
      count: 1,
      name: ownName,
      note: null,
      isKept: false,
      adopt: null,
      ...own,
    });
  });

  test("leaves open what the program left open when an object is taken over", () => {
    expect(inputsOf({}, { adopt: "c-1" })).toEqual({ type: "a", adopt: "c-1", ...own });
  });

  test("leaves open what was open before when the resource is there", () => {
    expect(inputsOf({ type: "a", name: "n" }, {})).toEqual({ type: "a", name: "n", ...own });
  });

  test("goes back to the default when an argument is taken out of the program", () => {
    expect(inputsOf({ type: "a", count: 4, note: "x" }, {})).toMatchObject({ count: 1, note: null });
  });

  test("keeps the name when the resource has one, whatever its seed is", () => {
    expect(inputsOf({ type: "a", name: "old" }, { __seed: "another" })["name"]).toBe("old");
  });

  test("gives no name when the resource is there without one", () => {
    expect(inputsOf({ type: "a" }, {})).not.toHaveProperty("name");
  });

  test.for([{ __seed: UNKNOWN }, { __urn: UNKNOWN }, { __side: true, type: UNKNOWN }])(
    "gives an unknown name when a part of it is unknown: %j",
    (news) => {
      expect(inputsOf({}, news)["name"]).toBe(UNKNOWN);
    },
  );

  test.for([{ __seed: null }, { __urn: null }])("gives no name when a part of it is missing: %j", (news) => {
    expect(inputsOf({}, news)).not.toHaveProperty("name");
  });

  test("gives the same name when only arguments differ", () => {
    expect(inputsOf({}, { type: "b", count: 9, note: "z" })["name"]).toBe(ownName);
  });

  test("gives another name for other replacing arguments when old and new stand side by side", () => {
    const names = [{ type: "a" }, { type: "b" }, { type: "b", note: "z" }].map(
      (news) => inputsOf({}, { ...news, __side: true })["name"],
    );
    expect(names[0]).not.toBe(ownName);
    expect(names[1]).not.toBe(names[0]);
    expect(names[2]).toBe(names[1]);
  });

  test("passes hidden keys through when they are there", () => {
    const timeouts = { create: 60 };
    expect(inputsOf({}, { timeouts, __provider: "text" })).toMatchObject({ timeouts, __provider: "text", ...own });
  });

  test("takes null for absent when the program passes it", () => {
    expect(inputsOf({}, { count: null, isKept: null })).toMatchObject({ count: 1, isKept: false });
  });

  test("does not ask for what is required, nor turn it into null, when an object is taken over", () => {
    const news = { adopt: "c-1", ...own };
    expect(check(kind, {}, news)).toMatchObject({ failures: [], inputs: news });
    expect(check(kind, { type: "a", adopt: "c-1" }, news).inputs).not.toHaveProperty("type");
  });

  test("tells every fault at once when there are several", () => {
    const { failures } = check(kind, {}, { count: 0, isKept: "yes", nmae: "x", ...own });
    expect(failures).toEqual([
      { property: "nmae", reason: "Cannot use nmae: Thing has no such argument; did you mean name?" },
      { property: "type", reason: "Cannot go without type: expected a text that is not empty" },
      { property: "count", reason: "Cannot use count 0: expected a whole number of nodes, 1 or more, such as 2" },
      { property: "isKept", reason: 'Cannot use isKept "yes": expected true or false' },
    ]);
  });

  test.for(["toString", "constructor", "hasOwnProperty"])("refuses %s when it is passed as an argument", (key) => {
    const { failures } = check(kind, {}, { type: "a", [key]: 1, ...own });
    expect(failures.map(({ property }) => property)).toEqual([key]);
  });

  test("names all arguments when the unknown one is near to none", () => {
    const { failures } = check(kind, {}, { type: "a", somethingElse: 1, ...own });
    expect(failures[0]?.reason).toContain("its arguments are type, count, name, note, isKept, adopt");
  });

  test("shows a number that JSON has no word for when it is refused", () => {
    expect(check(kind, {}, { type: "a", count: Number.NaN }).failures[0]?.reason).toContain("Cannot use count NaN:");
  });

  test("never shows a private key when one is passed by mistake", () => {
    const secret = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n";
    const { failures } = check(kind, {}, { type: "a", count: secret });
    expect(JSON.stringify(failures)).not.toContain("b3Bl");
  });

  test("cuts what it shows when the value is long", () => {
    expect(check(kind, {}, { type: "a", count: "x".repeat(5_000) }).failures[0]?.reason.length).toBeLessThan(250);
  });

  test("asks for doubts only when there is no fault", () => {
    const doubting: Checkable = { ...kind, doubts: () => ["hm"] };
    expect(check(doubting, {}, { type: "a" }).warnings).toEqual(["hm"]);
    expect(check(doubting, {}, {}).warnings).toEqual([]);
  });
});
