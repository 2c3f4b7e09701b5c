import { readdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { type Scene, scene } from "./scene.ts";
import { thrown } from "./world.ts";

/** A job whose files another server has. */
async function elsewhere(
  { api }: Scene,
  paths: readonly string[],
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<AsyncDisposable & { readonly id: string }> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const urls = paths.map((path) => [path, `http://127.0.0.1:${port}/${path}?signature=secret-signature`]);
  const body = { message: "files", download_map: Object.fromEntries(urls) };
  api.addFault({ kind: "status", status: 200, body, on: "GET /job/pull/{job_id}", times: "always" });
  return {
    id: api.addJob(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a file server of its own", () => {
  test("gets neither the API key nor anything else of the API, and no message shows a signed URL", async () => {
    await using at = await scene();
    const headers: IncomingMessage["headers"][] = [];
    await using job = await elsewhere(at, ["a"], (request, response) => {
      headers.push(request.headers);
      response.writeHead(404).end("<Error>secret-signature</Error>");
    });
    const { message } = await thrown(at.jobs.download(job.id, at.folder));
    expect(message).toMatch(/Cannot download the file "a": 127\.0\.0\.1:\d+ answered 404/);
    expect(message).not.toContain("secret-signature");
    expect(JSON.stringify(headers)).not.toMatch(/authorization|test-key/i);
    expect(await readdir(at.folder)).toEqual([]);
  });

  test("is asked again with backoff when it is busy, and as late as it wants", async () => {
    await using at = await scene();
    const atMs: number[] = [];
    await using job = await elsewhere(at, ["a"], (_request, response) => {
      atMs.push(performance.now());
      if (atMs.length === 1) response.writeHead(503).end();
      else if (atMs.length === 2) response.writeHead(429, { "retry-after": "1" }).end();
      else response.end("done");
    });
    await at.jobs.download(job.id, at.folder);
    expect(await at.files()).toEqual({ a: "done" });
    expect((atMs[2] ?? 0) - (atMs[1] ?? 0)).toBeGreaterThan(990);
  });

  test("begins anew when the file is another one after a break", async () => {
    await using at = await scene();
    const ranges: unknown[] = [];
    await using job = await elsewhere(at, ["a"], (request, response) => {
      ranges.push([request.headers.range, request.headers["if-range"]]);
      if (ranges.length === 1) {
        response.writeHead(200, { etag: '"one"', "content-length": "10" });
        response.write("11111", () => setTimeout(() => response.destroy(), 100));
      } else response.writeHead(200, { etag: '"two"', "content-length": "4" }).end("2222");
    });
    await at.jobs.download(job.id, at.folder);
    expect(ranges[1]).toEqual(["bytes=5-", '"one"']);
    expect(await at.files()).toEqual({ a: "2222" });
  });

  test.for([
    ["a part of another file", { etag: '"2"', "content-range": "bytes 3-5/6" }, "XYZ"],
    ["a part of a file of another length", { "content-range": "bytes 3-4/5" }, "XY"],
    ["a piece that does not tell how long all is", { "content-range": "bytes 3-3/*" }, "d"],
  ] as const)("leads to no wrong byte when it answers with %s after a break", async ([, headers, body]) => {
    await using at = await scene();
    let asked = 0;
    await using job = await elsewhere(at, ["a"], (request, response) => {
      asked += 1;
      if (asked === 2) return void response.writeHead(206, headers).end(body);
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      response.setHeader("content-range", `bytes ${from}-5/6`);
      response.writeHead(from === 0 ? 200 : 206, { "content-length": 6 - from, etag: '"1"' });
      if (asked > 1) response.end("abcdef".slice(from));
      else response.write("abc", () => setTimeout(() => response.destroy(), 100));
    });
    await at.jobs.download(job.id, at.folder);
    expect(await at.files()).toEqual({ a: "abcdef" });
  });

  test("begins anew when it gives no proof that the file is the same", async () => {
    await using at = await scene();
    const ranges: unknown[] = [];
    await using job = await elsewhere(at, ["a"], (request, response) => {
      ranges.push(request.headers.range);
      response.writeHead(200, { etag: 'W/"weak"', "content-length": "10" });
      if (ranges.length === 1) response.write("11111", () => response.destroy());
      else response.end("2222222222");
    });
    await at.jobs.download(job.id, at.folder);
    expect(ranges).toEqual([undefined, undefined]);
    expect(await at.files()).toEqual({ a: "2222222222" });
  });

  test("is given up when fresh URLs are refused too", async () => {
    await using at = await scene();
    await using job = await elsewhere(at, ["a"], (_request, response) => void response.writeHead(403).end());
    expect((await thrown(at.jobs.download(job.id, at.folder))).message).toContain("answered 403, also with a new URL");
  });

  test("no partial file is left when the download is stopped", async () => {
    await using at = await scene();
    const stop = new AbortController();
    await using job = await elsewhere(at, ["a", "b"], (_request, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("1");
      setTimeout(() => stop.abort(), 50);
    });
    const stopped = await thrown(at.jobs.download(job.id, at.folder, { signal: stop.signal }));
    expect(stopped).toMatchObject({ name: "StoppedError", why: "cancelled" });
    expect(await readdir(at.folder)).toEqual([]);
  });

  test("is not asked again for what the caller's own onDownload throws", async () => {
    await using at = await scene();
    let asked = 0;
    await using job = await elsewhere(at, ["a"], (_request, response) => {
      asked += 1;
      response.end("abc");
    });
    const onDownload = (): never => {
      throw new Error("no room on the screen");
    };
    const { message } = await thrown(at.jobs.download(job.id, at.folder, { onDownload }));
    expect(message).toContain("no room on the screen");
    expect(asked).toBe(1);
  });

  test("is not asked at all when what the API gives is no web address", async () => {
    await using at = await scene();
    const body = { message: "", download_map: { a: "file:///etc/passwd" } };
    at.api.addFault({ kind: "status", status: 200, body, on: "GET /job/pull/{job_id}" });
    const { message } = await thrown(at.jobs.download(at.api.addJob(), at.folder));
    expect(message).toContain("is no web address");
  });
});
