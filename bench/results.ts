import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { keyOf, type Row } from "./row.ts";

const FILE = path.join(import.meta.dirname, "results.json");

/** The rows of earlier runs; none where there is no such file. */
export function readResults(): Row[] {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Puts new rows in the place of older ones of the same label, and keeps the rest. */
export function merged(older: readonly Row[], newer: readonly Row[]): Row[] {
  const byKey = new Map([...older, ...newer].map((row) => [keyOf(row), row]));
  return [...byKey.values()];
}

/** One row a line, so that a changed figure is a changed line. */
export function writeResults(rows: readonly Row[]): void {
  writeFileSync(FILE, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`);
}

/** Puts the picture beside them. */
export function writeChart(svg: string): void {
  writeFileSync(path.join(import.meta.dirname, "chart.svg"), svg);
}
