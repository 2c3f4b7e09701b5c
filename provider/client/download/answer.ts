import type { Streamed } from "./stream.ts";

/** What an answer to a request for the bytes from `offset` on means. */
export type Meaning =
  /** The body begins at byte `from`. */
  | { readonly kind: "bytes"; readonly from: number; readonly totalBytes: number | undefined }
  /** There are no more bytes. */
  | { readonly kind: "whole" }
  /** The URL is refused: it may have expired. */
  | { readonly kind: "refused" }
  /** What is here is of no use: all over again. */
  | { readonly kind: "restart" }
  /** Worth another try. */
  | { readonly kind: "again" }
  | { readonly kind: "failed" };

export function meaningOf({ status, header }: Pick<Streamed, "status" | "header">, offset: number): Meaning {
  if (status === 200) return { kind: "bytes", from: 0, totalBytes: whole(header("content-length")) };
  if (status === 206) {
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header("content-range") ?? "") ?? [];
    if (whole(first) !== offset) return { kind: "restart" };
    return { kind: "bytes", from: offset, totalBytes: whole(total) };
  }
  if (status === 416 && offset > 0) {
    const [, total] = /^bytes \*\/(\d+)$/.exec(header("content-range") ?? "") ?? [];
    return { kind: whole(total) === offset ? "whole" : "restart" };
  }
  // Amazon and Azure answer 403 to an expired signature, Google 400.
  if (status === 403 || status === 401 || status === 400) return { kind: "refused" };
  if (status === 408 || status === 425 || status === 429 || status >= 500) return { kind: "again" };
  return { kind: "failed" };
}

/** What proves that a later part is of the same file: a strong ETag, else its date. */
export function validatorOf({ header }: Pick<Streamed, "header">): string | undefined {
  const etag = header("etag");
  return etag?.startsWith('"') ? etag : header("last-modified");
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
