const UNITS_S: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };
const DURATION = /^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/;

/**
 * The seconds in a duration as Pulumi takes them, such as `"1h30m"`, `"90s"` or `"1.5h"`.
 * @throws TypeError when the text is no such duration, or not longer than nothing
 */
export function durationSeconds(text: string, what: string): number {
  // Go writes the micro of a microsecond in either of two ways.
  const plain = text.replaceAll(/[\u00b5\u03bc]s/g, "us");
  const parts = DURATION.test(plain) ? [...plain.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g)] : [];
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS_S[unit ?? ""] ?? 0), 0);
  if (seconds > 0 && Number.isFinite(seconds)) return seconds;
  throw new TypeError(
    `Cannot use ${what} "${text}": expected a duration longer than 0, such as "30m", "90s" or "1h30m"`,
  );
}
