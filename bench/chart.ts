import type { Label, Row, Subject } from "./row.ts";

/** The measures that decide for most users, in words that need no page beside them. */
const LINES: readonly (Omit<Label, "subject"> & { readonly title: string })[] = [
  { measure: "up", n: 100, title: "pulumi up, 100 clusters" },
  { measure: "rate-limited-up", n: 100, case: "20 requests a second", title: "the same, 20 requests a second allowed" },
  { measure: "destroy", n: 100, title: "pulumi destroy, 100 clusters" },
  { measure: "refresh-requests", n: 100, title: "requests of a refresh, 100 clusters" },
  { measure: "early-polls", n: 20, case: "30 s, Retry-After 15", title: "questions before Retry-After, 20 creates" },
];
const SUBJECTS: readonly { readonly subject: Subject; readonly name: string; readonly color: string }[] = [
  { subject: "A", name: "pulumi-tensorpool", color: "#1f883d" },
  { subject: "C", name: "dynamic provider with p-retry", color: "#8c959f" },
  { subject: "B", name: "hand-written dynamic provider", color: "#c9d1d9" },
];

const BAR = 16;
const GROUP = SUBJECTS.length * BAR + 34;
const WIDTH = 720;
const WIDEST = 560;
const TEXT = `fill="#6e7781" font-family="sans-serif" font-size="12"`;

/** A picture of the rows, as SVG: shorter bars are better. A subject that failed has no bar, and says so. */
export function chartOf(rows: readonly Row[]): string {
  const legend = SUBJECTS.map(
    ({ name, color }, index) =>
      `<rect x="${index * 220}" y="0" width="12" height="12" fill="${color}"/><text x="${index * 220 + 18}" y="10" ${TEXT}>${name}</text>`,
  );
  const groups = LINES.map((line, index) => group(rows, line, 30 + index * GROUP));
  const height = 30 + LINES.length * GROUP;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 ${WIDTH} ${height}" role="img">\n${[...legend, ...groups].join("\n")}\n</svg>\n`;
}

function group(rows: readonly Row[], { title, ...label }: (typeof LINES)[number], top: number): string {
  const found = SUBJECTS.map(({ subject, color }) => ({
    color,
    row: rows.find(
      (row) => row.measure === label.measure && row.n === label.n && row.case === label.case && row.subject === subject,
    ),
  }));
  const most = Math.max(1, ...found.map(({ row }) => row?.median ?? 0));
  const bars = found.map(({ row, color }, index) => {
    const y = top + 12 + index * BAR;
    const width = row?.median === undefined || row.median === null ? 0 : (row.median / most) * WIDEST;
    const words = row === undefined ? "not measured" : row.median === null ? "fails" : `${row.median} ${row.unit}`;
    return `<rect x="0" y="${y}" width="${width.toFixed(1)}" height="${BAR - 3}" fill="${color}"/><text x="${(width + 6).toFixed(1)}" y="${y + 11}" ${TEXT}>${words}</text>`;
  });
  return [`<text x="0" y="${top + 4}" ${TEXT} font-weight="bold">${title}</text>`, ...bars].join("\n");
}
