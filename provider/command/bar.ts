import type { DownloadProgress } from "../client/download/download.ts";
import type { Io } from "./io.ts";
import { size } from "./printable.ts";

/** One line that shows how far a download is; only on a terminal. */
export interface Bar {
  show(progress: DownloadProgress): void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

const WIDTH = 24;
const LEAST_MS = 100;

export function createBar(io: Io, now: () => number = () => performance.now()): Bar {
  const sinceMs = now();
  const files = new Map<string, DownloadProgress>();
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    show(progress) {
      files.set(progress.path, progress);
      if (!io.isTerminal || now() - shownMs < LEAST_MS) return;
      shownMs = now();
      io.err(`\r\u001b[K${lineOf([...files.values()], (now() - sinceMs) / 1000)}`);
    },
    clear() {
      if (io.isTerminal && files.size > 0) io.err("\r\u001b[K");
    },
  };
}

/** Such as `[######------------------]  25%  1 of 4 files  1.5 MB  300.0 kB/s`. */
export function lineOf(files: readonly DownloadProgress[], seconds: number): string {
  const count = files[0]?.files ?? 1;
  const parts = files.map((one) => (one.isDone ? 1 : one.bytes / Math.max(one.totalBytes ?? Infinity, 1)));
  const share = Math.min(1, parts.reduce((sum, part) => sum + part, 0) / count);
  const filled = Math.floor(share * WIDTH);
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  const done = files.filter(({ isDone }) => isDone).length;
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const bar = `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}]`;
  return `${bar} ${percent}  ${done} of ${count} files  ${size(bytes)}  ${size(bytes / Math.max(seconds, 0.1))}/s`;
}
