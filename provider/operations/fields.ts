import { durationSeconds } from "../durations.ts";

/** What the engine puts in place of a value that is not known yet, whatever the value's type will be. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(isUnknown);
  return typeof value === "object" && value !== null && Object.values(value).some(isUnknown);
}

/** One argument of a resource: what may stand there, and what a change of it means. */
export interface Field {
  /** What is expected, if `value` is not it. */
  wrong(value: unknown): string | undefined;
  /** `stored`: used at creation only, a later change sends nothing. */
  readonly change: "replaces" | "updates" | "stored";
  /** What holds when the program does not say. @default null: nothing */
  readonly default?: string | number | boolean;
  readonly isRequired?: true;
}

export type FieldTable = Readonly<Record<string, Field>>;

const LONGEST_NAME = 128;

/** A name, trimmed of nothing: what the program says is sent as it is. */
export function nameText(value: unknown): string | undefined {
  const isName =
    typeof value === "string" &&
    value.trim() !== "" &&
    value.length <= LONGEST_NAME &&
    // biome-ignore lint: control characters are what is looked for
    !/\p{Cc}/u.test(value);
  return isName ? undefined : `a text of 1 to ${LONGEST_NAME} characters without control characters`;
}

export function plainText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? undefined : "a text that is not empty";
}

export function trueOrFalse(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : "true or false";
}

export function wholeNumber(unit: string, example: number): (value: unknown) => string | undefined {
  return (value) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 1
      ? undefined
      : `a whole number of ${unit}, 1 or more, such as ${example}`;
}

/** A duration as Pulumi writes them, of so many seconds at least. */
export function durationText(leastSeconds: number, example: string): (value: unknown) => string | undefined {
  return (value) => {
    const expected = `a duration of ${leastSeconds} s or more, such as "${example}"`;
    if (typeof value !== "string") return expected;
    try {
      return durationSeconds(value, "it") >= leastSeconds ? undefined : expected;
    } catch {
      return expected;
    }
  };
}

export function usd(value: unknown): string | undefined {
  const isPrice = typeof value === "number" && Number.isFinite(value) && value > 0;
  return isPrice ? undefined : "a number of US dollars an hour, more than 0, such as 30";
}

/** The id of one kind of object; an id that tells of another kind is a mix-up, any other is for the server to judge. */
export function idOf(noun: string, example: string, others: Readonly<Record<string, string>>) {
  return (value: unknown): string | undefined => {
    const wanted = `the id of ${noun}, such as ${example}`;
    if (typeof value !== "string" || value.trim() === "") return wanted;
    const other = Object.entries(others).find(([prefix]) => value.startsWith(prefix));
    return other && `${wanted}; this one is ${other[1]}`;
  };
}

/** The entry of `words` that takes the fewest single-letter edits to reach from `word`, if it is near at all. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const rated = words.map((one) => ({ one, edits: distance(word.toLowerCase(), one.toLowerCase()) }));
  const best = rated.sort((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= Math.max(2, Math.floor(word.length / 3)) ? best.one : undefined;
}

/** Levenshtein's distance, row by row. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of from.split("").entries()) {
    const next = [i + 1];
    for (const [j, other] of to.split("").entries()) {
      const swap = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
