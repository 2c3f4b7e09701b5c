import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backoffMs, LONGEST_RETRY_AFTER_MS, ownIntervalMs, retryAfterMs } from "../../provider/wait/retry-after.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
const httpDate = (ms: number): string => new Date(ms).toUTCString();

describe("retryAfterMs()", () => {
  test.for([
    ["1", 1_000],
    [" 7 ", 7_000],
    ["0.25", 250],
    ["1.5", 1_500],
    ["60", 60_000],
    ["61", 60_000],
    ["9".repeat(400), 60_000],
    ["0", undefined],
    ["0.0", undefined],
    ["-1", undefined],
    ["+1", undefined],
    ["1e3", undefined],
    ["0x10", undefined],
    ["1,5", undefined],
    ["5, 10", undefined],
    ["5 apples", undefined],
    ["soon", undefined],
    ["NaN", undefined],
    ["Infinity", undefined],
    ["Monday 9999", undefined],
    ["Sunshine 2099", undefined],
    ["2099-01-01T00:00:00Z", undefined],
    ["", undefined],
    [undefined, undefined],
  ] as const)("gives the milliseconds or nothing when the header is %j", ([header, expected]) => {
    expect(retryAfterMs(header, undefined, NOW_MS)).toBe(expected);
    expect(retryAfterMs(header, "junk", NOW_MS)).toBe(expected);
  });

  test.for(["Fri, 20 Nov 2026 12:00:30 GMT", "Friday, 20-Nov-26 12:00:30 GMT", "Fri Nov 20 12:00:30 2026"])(
    "takes it as 30 s away when the date is %j",
    (header) => {
      expect(retryAfterMs(header, undefined, NOW_MS)).toBe(30_000);
    },
  );

  test("gives nothing when the date has passed", () => {
    expect(retryAfterMs(httpDate(NOW_MS - 5_000), httpDate(NOW_MS), NOW_MS)).toBeUndefined();
  });

  test("is not early and capped when the header is any number of seconds", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (seconds) => {
        const header = seconds.toFixed(3);
        const ms = retryAfterMs(header, undefined, NOW_MS) ?? 0;
        expect(ms).toBeGreaterThanOrEqual(Math.min(Number(header) * 1000, LONGEST_RETRY_AFTER_MS));
        expect(ms).toBeLessThanOrEqual(LONGEST_RETRY_AFTER_MS);
      }),
    );
  });

  test("takes the server's own clock when the two clocks differ by any amount", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: -1e6, max: 1e6 }), (seconds, skewS) => {
        const serverMs = NOW_MS + skewS * 1000;
        expect(retryAfterMs(httpDate(serverMs + seconds * 1000), httpDate(serverMs), NOW_MS)).toBe(seconds * 1000);
      }),
    );
  });

  test("gives nothing or a wait within the cap when the headers are any text", () => {
    fc.assert(
      fc.property(
        fc.option(fc.string(), { nil: undefined }),
        fc.option(fc.string(), { nil: undefined }),
        (one, other) => {
          const ms = retryAfterMs(one, other, NOW_MS);
          if (ms === undefined) return;
          expect(ms).toBeGreaterThan(0);
          expect(ms).toBeLessThanOrEqual(LONGEST_RETRY_AFTER_MS);
        },
      ),
    );
  });
});

test.for([
  [-5_000, 1_000],
  [0, 1_000],
  [10_000, 1_000],
  [25_000, 2_500],
  [100_000, 10_000],
  [3_600_000, 10_000],
] as const)("ownIntervalMs() is a tenth between 1 s and 10 s when %d ms have passed", ([elapsedMs, expected]) => {
  expect(ownIntervalMs(elapsedMs)).toBe(expected);
});

test("backoffMs() stays between half and all of its bound when the failures are any number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, chance) => {
      const ms = backoffMs(failures, 8_000, () => chance);
      const boundMs = Math.min(500 * 2 ** Math.min(failures - 1, 20), 8_000);
      expect(ms).toBeGreaterThanOrEqual(boundMs / 2);
      expect(ms).toBeLessThanOrEqual(boundMs);
    }),
  );
});
