import { createHash } from "node:crypto";
import { type Answer, type Fields, refusal } from "../answer.ts";
import { type GeneratedFile, generatedBytes } from "../generated.ts";
import type { Call, Routes } from "../table.ts";
import type { World } from "../world.ts";

/** One part; a header of any other form is ignored, as HTTP has it. */
const RANGE = /^bytes=(?=.?\d)(\d*)-(\d*)$/;

/** The server behind the presigned links of `GET /job/pull/{job_id}`; it asks for the signature and no key. */
export function downloadRoutes(world: World): Routes {
  const broken = new Set<string>();
  return { "GET /__files/{file}": (call) => download(world, broken, call) };
}

/** A link to an output file that anyone may follow until it expires. */
export function downloadUrl(world: World, jobId: string, path: string): string {
  const file = `${jobId}/${path}`;
  const expires = String(Math.floor(world.settings.clock.now() + world.settings.linkSeconds * 1_000));
  const query = new URLSearchParams({ expires, signature: signature(world, file, expires) });
  return `${world.url}/__files/${encodeURIComponent(file)}?${query.toString()}`;
}

/** @param broken the breaks that have struck, by file and offset */
function download(world: World, broken: Set<string>, { id: file, query, headers }: Call): Answer {
  const expires = query.get("expires") ?? "";
  const isSigned = query.get("signature") === signature(world, file, expires);
  if (!isSigned) throw refusal(403, "The signature does not match");
  if (world.settings.clock.now() > Number(expires)) throw refusal(403, "The link has expired");
  const slash = file.indexOf("/");
  const output = world.jobs.get(file.slice(0, slash))?.outputs[file.slice(slash + 1)];
  if (output === undefined) throw refusal(404, `${file} not found`);
  const { length, part } = contentOf(output, file, broken);
  const etag = `"${sha256(typeof output === "string" ? output : `${file} ${output.bytes}`).slice(0, 32)}"`;
  const common = { etag, "accept-ranges": "bytes", "content-type": "application/octet-stream" };
  const { range, "if-range": ifRange } = headers;
  if (range === undefined || !RANGE.test(String(range)) || (ifRange !== undefined && ifRange !== etag)) {
    return { status: 200, body: part(0, length - 1), headers: { ...common, "content-length": String(length) } };
  }
  const asked = partOf(String(range), length);
  if (asked === undefined) {
    const body: Fields = { message: `Cannot give ${String(range)} of ${length} bytes` };
    return { status: 416, body, headers: { "content-range": `bytes */${length}` } };
  }
  const [first, last] = asked;
  const sizes = { "content-range": `bytes ${first}-${last}/${length}`, "content-length": String(last + 1 - first) };
  return { status: 206, body: part(first, last), headers: { ...common, ...sizes } };
}

interface Content {
  readonly length: number;
  /** The bytes from the first to the last, both included. */
  readonly part: (first: number, last: number) => NonNullable<Answer["body"]>;
}

function contentOf(output: string | GeneratedFile, file: string, broken: Set<string>): Content {
  if (typeof output === "string") {
    const bytes = Buffer.from(output);
    return { length: bytes.length, part: (first, last) => bytes.subarray(first, last + 1) };
  }
  const { bytes, breaksAt = [] } = output;
  return {
    length: bytes,
    part(first, last) {
      const breakAt = breaksAt.find((at) => at >= first && at <= last && !broken.has(`${file} ${at}`));
      if (breakAt !== undefined) broken.add(`${file} ${breakAt}`);
      return () => generatedBytes(first, last, breakAt);
    },
  };
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
