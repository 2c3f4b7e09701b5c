import type { Slice } from "./trace-slices.ts";

const KINDS: readonly { readonly name: string; readonly color: string; readonly is: (slice: Slice) => boolean }[] = [
  { name: "a pause after a 429", color: "#ffd33d", is: ({ name }) => name === "pause" },
  { name: "an operation", color: "#ddf4ff", is: ({ name }) => !name.includes("/") },
  { name: "a poll", color: "#0969da", is: ({ name }) => name.startsWith("GET /request/info") },
  { name: "any other read", color: "#8c959f", is: ({ name }) => name.startsWith("GET ") },
  { name: "the call that buys", color: "#cf222e", is: () => true },
];
const LEFT = 110;
const WIDTH = 760;
const ROW = 14;
const TOP = 40;
/** An answer from loopback takes a few milliseconds, which nobody would see. */
const THINNEST = 2;
const TEXT = `fill="#6e7781" font-family="sans-serif" font-size="11"`;

/** Draws a trace as SVG, a row for each resource, as a viewer does in more detail. */
export function tracePicture(slices: readonly Slice[]): string {
  const fromMs = Math.min(...slices.map(({ atMs }) => atMs));
  const untilMs = Math.max(...slices.map(({ atMs, endMs = atMs }) => endMs));
  const rows = [...new Set(slices.filter(({ name }) => name !== "pause").map(({ row }) => row))].toSorted((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  const height = TOP + rows.length * ROW + 24;
  const x = (ms: number): number => LEFT + ((ms - fromMs) / (untilMs - fromMs)) * (WIDTH - LEFT - 20);

  const bars = KINDS.flatMap((kind) =>
    slices
      .filter((slice) => KINDS.find(({ is }) => is(slice)) === kind)
      .map(({ row, atMs, endMs = untilMs, name }) => {
        const y = name === "pause" ? TOP : TOP + rows.indexOf(row) * ROW;
        const tall = name === "pause" ? rows.length * ROW : ROW - 4;
        return rect(x(atMs), y, Math.max(THINNEST, x(endMs) - x(atMs)), tall, kind.color);
      }),
  );
  const legend = KINDS.map(
    ({ name, color }, index) => `${rect(index * 150, 0, 12, 12, color)}${words(index * 150 + 18, 10, name)}`,
  );
  const names = rows.map((row, index) => words(0, TOP + index * ROW + 9, row));
  const seconds = Math.floor((untilMs - fromMs) / 1000);
  const step = Math.max(1, Math.round(seconds / 8));
  const ticks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) =>
    words(x(fromMs + index * step * 1000), height - 8, `${index * step} s`),
  );
  const parts = [...legend, ...bars, ...names, ...ticks];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 ${WIDTH + 8} ${height}" role="img">\n${parts.join("\n")}\n</svg>\n`;
}

function rect(x: number, y: number, width: number, height: number, color: string): string {
  return `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height}" fill="${color}"/>`;
}

function words(x: number, y: number, text: string): string {
  return `<text x="${x.toFixed(1)}" y="${y}" ${TEXT}>${text}</text>`;
}
