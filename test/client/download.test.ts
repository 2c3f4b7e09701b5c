import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DownloadProgress } from "../../provider/client/index.ts";
import { generatedBytes } from "../emulator/generated.ts";
import { scene } from "./scene.ts";
import { thrown } from "./world.ts";

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
    expect(seen).toContainEqual({ path: "out/c.txt", bytes: 3, totalBytes: 3, isDone: true, isKept: false, files: 4 });
  });

  test("keeps files that are there, and replaces them with overwrite", async () => {
    await using at = await scene();
    const id = at.api.addJob({ outputs: { "a.txt": "new", "b.txt": "new" } });
    await writeFile(join(at.folder, "a.txt"), "old");
    const done: [string, boolean][] = [];
    const onDownload = ({ path, isDone, isKept }: DownloadProgress): void => {
      if (isDone) done.push([path, isKept]);
    };
    const { files } = await at.jobs.download(id, at.folder, { onDownload });
    expect(files.map(({ outcome }) => outcome)).toEqual(["kept", "downloaded"]);
    expect(Object.fromEntries(done)).toEqual({ "a.txt": true, "b.txt": false });
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

  test("says which folder cannot be made", async () => {
    await using at = await scene();
    await writeFile(join(at.folder, "file"), "");
    const { message } = await thrown(at.jobs.download(at.api.addJob(), join(at.folder, "file")));
    expect(message).toMatch(/^Cannot download into ".*\/file": it cannot be made \(EEXIST/);
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
