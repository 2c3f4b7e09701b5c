import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClient, type DownloadProgress } from "../../provider/client/index.ts";
import { generatedBytes } from "../emulator/generated.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../emulator/index.ts";
import { thrown } from "./world.ts";

interface Scene extends AsyncDisposable {
  readonly api: Emulator;
  readonly folder: string;
  readonly jobs: ReturnType<typeof createClient>["jobs"];
  /** Every file in the folder, by its path. */
  files(): Promise<Record<string, string>>;
}

async function scene(options: EmulatorOptions = {}): Promise<Scene> {
  const api = await startEmulator(options);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "download-")));
  return {
    api,
    folder,
    jobs: createClient({ apiKey: "test-key", baseUrl: api.url, env: {} }).jobs,
    async files() {
      const all = await readdir(folder, { recursive: true, withFileTypes: true });
      const found = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
      const texts = found.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")] as const);
      return Object.fromEntries(await Promise.all(texts));
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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

describe("jobs.download()", () => {
  test("writes every file into the folder and tells how far it is", async () => {
    await using at = await scene();
    const outputs = { "a.txt": "a", "out/deep/b.txt": "bb", "out/c.txt": "ccc", "empty.txt": "" };
    const id = at.api.addJob({ outputs });
    const seen: DownloadProgress[] = [];
    const result = await at.jobs.download(id, at.folder, { atOnce: 2, onDownload: (one) => void seen.push(one) });
    expect(await at.files()).toEqual(outputs);
    expect(result.message).toBe("4 output files");
    expect(result.files).toEqual(
      Object.entries(outputs).map(([path, text]) => ({
        path,
        file: join(at.folder, path),
        outcome: "downloaded",
        bytes: text.length,
      })),
    );
    expect(
      seen
        .filter(({ isDone }) => isDone)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(Object.keys(outputs).sort());
    expect(seen).toContainEqual({ path: "out/c.txt", bytes: 3, totalBytes: 3, isDone: true, files: 4 });
  });

  test("keeps files that are there, and replaces them with overwrite", async () => {
    await using at = await scene();
    const id = at.api.addJob({ outputs: { "a.txt": "new", "b.txt": "new" } });
    await writeFile(join(at.folder, "a.txt"), "old");
    const { files } = await at.jobs.download(id, at.folder);
    expect(files.map(({ outcome }) => outcome)).toEqual(["kept", "downloaded"]);
    expect(await at.files()).toEqual({ "a.txt": "old", "b.txt": "new" });
    await at.jobs.download(id, at.folder, { overwrite: true });
    expect(await at.files()).toEqual({ "a.txt": "new", "b.txt": "new" });
  });

  test("downloads nothing and returns the command when the job's machine is still there", async () => {
    await using at = await scene();
    const id = at.api.addJob({ status: "running" });
    const body = { message: "use rsync", command: "rsync u@h:o ." };
    at.api.addFault({ kind: "status", status: 200, body, on: "GET /job/pull/{job_id}" });
    const result = await at.jobs.download(id, at.folder);
    expect(result).toEqual({ message: "use rsync", command: "rsync u@h:o .", commandShowStdout: null, files: [] });
  });

  test("goes on where it broke off, with every byte right", async () => {
    await using at = await scene();
    const [bytes, breaksAt] = [3_000_003, [900_000, 1_800_001, 2_700_001]];
    const id = at.api.addJob({ outputs: { big: { bytes, breaksAt } } });
    await at.jobs.download(id, at.folder);
    const whole = Buffer.concat([...generatedBytes(0, bytes - 1, undefined)]);
    expect((await readFile(join(at.folder, "big"))).equals(whole)).toBe(true);
    const asked = at.api.ledger().requests.filter(({ path }) => path.startsWith("/__files/"));
    expect(asked.map(({ status }) => status)).toEqual([200, 206, 206, 206]);
  });

  test("asks for a new URL when one has expired, once for all files", async () => {
    await using at = await scene({ linkSeconds: 0.5 });
    // After each break it waits for a quarter of a second at least: after two the first URLs have expired.
    const big = { bytes: 3_000_000, breaksAt: [1_000_000, 2_000_000] };
    const id = at.api.addJob({ outputs: { a: big, b: big, c: big } });
    await at.jobs.download(id, at.folder);
    const whole = Buffer.concat([...generatedBytes(0, big.bytes - 1, undefined)]);
    for (const name of ["a", "b", "c"]) expect((await readFile(join(at.folder, name))).equals(whole)).toBe(true);
    const entries = at.api.ledger().requests;
    expect(entries.some(({ status }) => status === 403)).toBe(true);
    const pulls = entries.filter(({ path }) => path === `/job/pull/${id}`).length;
    expect(pulls).toBeGreaterThan(1);
    expect(pulls).toBeLessThanOrEqual(5);
  });

  test.for(["../x", "/tmp/x", "C:\\x", "C:/x", "\\\\host\\x", "a\\..\\..\\x", "out/../../x", "a\u0000"])(
    "refuses %j, names it, and downloads nothing at all",
    async (path) => {
      await using at = await scene();
      const id = at.api.addJob({ outputs: { "fine.txt": "fine", [path]: "evil" } });
      const { message } = await thrown(at.jobs.download(id, at.folder));
      expect(message).toContain(`Cannot download the file ${JSON.stringify(path)}`);
      expect(await at.files()).toEqual({});
      expect(at.api.ledger().requests.filter(({ path: asked }) => asked.startsWith("/__files/"))).toEqual([]);
    },
  );

  test("refuses to follow a symbolic link out of the folder, and replaces one only itself", async () => {
    await using at = await scene();
    await using outside = await scene();
    await symlink(outside.folder, join(at.folder, "out"));
    const id = at.api.addJob({ outputs: { "fine.txt": "fine", "out/x.txt": "evil" } });
    const { message } = await thrown(at.jobs.download(id, at.folder));
    expect(message).toContain('"out" in');
    expect(message).toContain("is a symbolic link");
    expect([await at.files(), await outside.files()]).toEqual([{}, {}]);

    await writeFile(join(outside.folder, "target"), "untouched");
    await symlink(join(outside.folder, "target"), join(at.folder, "link"));
    const other = at.api.addJob({ outputs: { link: "new" } });
    expect((await at.jobs.download(other, at.folder)).files[0]?.outcome).toBe("kept");
    await at.jobs.download(other, at.folder, { overwrite: true });
    expect([await at.files(), await outside.files()]).toEqual([{ link: "new" }, { target: "untouched" }]);
  });

  test("says what is in the way when a folder has the name of a file, and goes on with the others", async () => {
    await using at = await scene();
    await mkdir(join(at.folder, "a"));
    const id = at.api.addJob({ outputs: { a: "a", b: "b" } });
    const error = await thrown(at.jobs.download(id, at.folder));
    expect(error).toMatchObject({ name: "AggregateError", errors: [expect.any(Error)] });
    expect(error.message).toContain("Cannot download 1 of the 2 files");
    expect(await at.files()).toEqual({ b: "b" });
  });
});

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

  test("is not asked at all when what the API gives is no web address", async () => {
    await using at = await scene();
    const body = { message: "", download_map: { a: "file:///etc/passwd" } };
    at.api.addFault({ kind: "status", status: 200, body, on: "GET /job/pull/{job_id}" });
    const { message } = await thrown(at.jobs.download(at.api.addJob(), at.folder));
    expect(message).toContain("is no web address");
  });
});
