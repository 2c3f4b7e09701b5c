/**
 * A text of the server's as it may be shown on a terminal: characters that could steer it, or hide or reorder what is
 * shown, are written as escapes. Also right inside of JSON.
 */
export function printable(text: string): string {
  // biome-ignore lint: control characters are what is looked for
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
}

/** The same, with its line breaks left as they are. */
export function printableLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => printable(line))
    .join("\n");
}

/** JSON for people and programs; also what JSON allows is escaped where a terminal would act on it. */
export function json(value: unknown): string {
  return `${printableLines(JSON.stringify(value, null, 2))}\n`;
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** A size for people, such as `1.5 MB`. */
export function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
