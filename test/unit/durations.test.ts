import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationSeconds } from "../../provider/durations.ts";

function secondsOrError(text: string): number | TypeError {
  try {
    return durationSeconds(text, "x");
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
}

describe("durationSeconds()", () => {
  test.for([
    ["30m", 1_800],
    ["90s", 90],
    ["1h30m", 5_400],
    ["1.5h", 5_400],
    ["1h0m1s", 3_601],
    ["1500ms", 1.5],
    ["1m1ms", 60.001],
    ["1s500ms", 1.5],
    ["2us", 2e-6],
    ["2\u00b5s", 2e-6],
    ["2\u03bcs", 2e-6],
    ["5ns", 5e-9],
  ] as const)("gives the seconds when the text is %s", ([text, seconds]) => {
    expect(durationSeconds(text, "x")).toBeCloseTo(seconds, 12);
  });

  test.for(["", " ", "30", "30 m", "m", "-30m", "0s", "0h0m", "1h 30m", "1h30", "1d", "1:30", "1e3s", "30M", "soon"])(
    "throws a TypeError that shows how when the text is %j",
    (text) => {
      const read = (): number => durationSeconds(text, "customTimeouts.create");
      expect(read).toThrow(TypeError);
      expect(read).toThrow(`Cannot use customTimeouts.create "${text}"`);
      expect(read).toThrow('"1h30m"');
    },
  );

  test("throws when the duration is longer than a number can say", () => {
    expect(() => durationSeconds(`${"9".repeat(400)}h`, "x")).toThrow(TypeError);
  });

  test("sums up its parts when there are several", () => {
    const parts = fc.record({ h: fc.nat(1_000), m: fc.nat(1_000), s: fc.nat(1_000) });
    fc.assert(
      fc.property(parts, ({ h, m, s }) => {
        fc.pre(h + m + s > 0);
        expect(durationSeconds(`${h}h${m}m${s}s`, "x")).toBe(h * 3600 + m * 60 + s);
      }),
    );
  });

  test("gives a positive number or throws a TypeError when the text is any", () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.]{0,5}(ns|ms|s|m|h)[0-9]{0,3}(ms|s|m|h)?$/));
    fc.assert(
      fc.property(texts, (text) => {
        const seconds = secondsOrError(text);
        expect(seconds instanceof TypeError || (seconds > 0 && Number.isFinite(seconds))).toBe(true);
      }),
    );
  });
});
