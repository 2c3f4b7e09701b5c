import { createHash } from "node:crypto";
import { type Answer, type Fields, refusal } from "../answer.ts";
import type { Call, Routes } from "../table.ts";
import type { World } from "../world.ts";

/** One part; a header of any other form is ignored, as HTTP has it. */
const RANGE = /^bytes=(?=.?\d)(\d*)-(\d*)$/;

/** The server behind the presigned links of `GET /job/pull/{job_id}`; it asks for the signature and no key. */
export function downloadRoutes(world: World): Routes {
  return { "GET /__files/{file}": (call) => download(world, call) };
}

/** A link to an output file that anyone may follow until it expires. */
export function downloadUrl(world: World, jobId: string, path: string): string {
  const file = `${jobId}/${path}`;
  const expires = String(Math.floor(world.settings.clock.now() + world.settings.linkSeconds * 1_000));
  const query = new URLSearchParams({ expires, signature: signature(world, file, expires) });
  return `${world.url}/__files/${encodeURIComponent(file)}?${query.toString()}`;
}

function download(world: World, { id: file, query, headers }: Call): Answer {
  const expires = query.get("expires") ?? "";
  const isSigned = query.get("signature") === signature(world, file, expires);
  if (!isSigned) throw refusal(403, "The signature does not match");
  if (world.settings.clock.now() > Number(expires)) throw refusal(403, "The link has expired");
  const slash = file.indexOf("/");
  const text = world.jobs.get(file.slice(0, slash))?.outputs[file.slice(slash + 1)];
  if (text === undefined) throw refusal(404, `${file} not found`);
  const bytes = Buffer.from(text);
  const etag = `"${sha256(text).slice(0, 32)}"`;
  const common = { etag, "accept-ranges": "bytes", "content-type": "application/octet-stream" };
  const { range, "if-range": ifRange } = headers;
  if (range === undefined || !RANGE.test(String(range)) || (ifRange !== undefined && ifRange !== etag)) {
    return { status: 200, body: bytes, headers: common };
  }
  const part = partOf(String(range), bytes.length);
  if (part === undefined) {
    const body: Fields = { message: `Cannot give ${String(range)} of ${bytes.length} bytes` };
    return { status: 416, body, headers: { "content-range": `bytes */${bytes.length}` } };
  }
  const [first, last] = part;
  const contentRange = { "content-range": `bytes ${first}-${last}/${bytes.length}` };
  return { status: 206, body: bytes.subarray(first, last + 1), headers: { ...common, ...contentRange } };
}

/** The first and the last byte that `bytes=2-5`, `bytes=2-` or `bytes=-5` asks for. */
function partOf(range: string, length: number): [first: number, last: number] | undefined {
  const [, from = "", to = ""] = RANGE.exec(range) ?? [];
  const first = from === "" ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === "" || to === "" ? length - 1 : Math.min(Number(to), length - 1);
  return first <= last ? [first, last] : undefined;
}

function signature(world: World, file: string, expires: string): string {
  return sha256(`${world.settings.seed} ${file} ${expires}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
