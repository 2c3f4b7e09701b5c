import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { partName } from "../../provider/client/download/part.ts";
import { VERSION } from "../../provider/version.ts";
import { type Emulator, startEmulator } from "../emulator/index.ts";
import { command } from "./run-command.ts";

async function temporary(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "command-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const EVIL = "rsync a b; touch PWNED $(id) `id`\n\u001b[2J\u009b31m\u202e \ud800";

describe("jobs list and jobs info", () => {
  test("print a table, and JSON with --json", async () => {
    await using api = await startEmulator();
    const own = api.addJob({ status: "error", exit_code: 3, public_message: "bad\u001b[31m" });
    const shared = api.addJob({ owner: "organization", status: "running" });
    const listed = await command(api.url, ["jobs", "list"]);
    expect(listed).toMatchObject({ code: 0, err: "" });
    expect(listed.out.split("\n")).toEqual([
      expect.stringMatching(/^ID +STATUS +INSTANCE +EXIT +MESSAGE$/),
      `${own}  error   1xH100    3     bad\\u001b[31m`,
      "",
    ]);
    const { out } = await command(api.url, ["jobs", "list", "--org", "--json"]);
    expect(JSON.parse(out)).toMatchObject([{ id: own, message: "bad\u001b[31m" }, { id: shared }]);
    expect(out).not.toContain("\u001b");
    expect((await command(api.url, ["jobs", "info", own])).out).toContain("status: error\n");
    const info = await command(api.url, ["jobs", "info", own, "--json"]);
    expect(JSON.parse(info.out)).toMatchObject({ id: own, exitCode: 3 });
  });

  test("say that there are none", async () => {
    await using api = await startEmulator();
    expect(await command(api.url, ["jobs", "list"])).toEqual({ code: 0, out: "no jobs\n", err: "" });
  });
});

describe("jobs pull", () => {
  test("downloads into the folder, keeps what is there, and says so", async () => {
    await using api = await startEmulator();
    await using folder = await temporary();
    const id = api.addJob({ outputs: { "a.txt": "aaa", "b.txt": "new" } });
    await writeFile(join(folder.path, "b.txt"), "old");
    const { code, out, err } = await command(api.url, ["jobs", "pull", id, folder.path]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      "downloaded a.txt (3 B)\nkept b.txt: it is there already (--overwrite replaces it)\n2 output files\n",
    );
    expect(await readFile(join(folder.path, "b.txt"), "utf8")).toBe("old");
    const json = await command(api.url, ["jobs", "pull", id, folder.path, "--overwrite", "--at-once=1", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      message: "2 output files",
      command: null,
      files: [{ path: "a.txt", outcome: "downloaded", bytes: 3 }, { path: "b.txt" }],
    });
    expect(json.out).not.toContain("signature");
    expect(await readFile(join(folder.path, "b.txt"), "utf8")).toBe("new");
  });

  test("shows a bar on a terminal alone, and takes it away", async () => {
    await using api = await startEmulator();
    await using folder = await temporary();
    const id = api.addJob({ outputs: { big: { bytes: 4_000_000 } } });
    const { err } = await command(api.url, ["jobs", "pull", id, folder.path], true);
    expect(err).toContain("\r\u001b[K[");
    expect(err).toMatch(/\[#*-*\] +\d+% {2}[01] of 1 files {2}/);
    expect(err.endsWith("\r\u001b[K")).toBe(true);
  });

  test("lists files and downloads nothing with --dry-run", async () => {
    await using api = await startEmulator();
    const id = api.addJob({ outputs: { "a.txt": "a", "out/b.txt": "b" } });
    const { out } = await command(api.url, ["jobs", "pull", id, "/nowhere", "--dry-run"]);
    expect(out).toBe("2 output files\na.txt\nout/b.txt\n");
    const json = await command(api.url, ["jobs", "pull", id, "--dry-run", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ downloadMap: { "a.txt": null, "out/b.txt": null } });
  });

  test("prints a command of the server's as data and never runs it", async () => {
    await using api = await startEmulator();
    await using folder = await temporary();
    const id = api.addJob({ status: "running" });
    const body = { message: "live\u001b[2J\nsecond line", command: EVIL, command_show_stdout: true };
    api.addFault({ kind: "status", status: 200, body, on: "GET /job/pull/{job_id}", times: "always" });
    for (const more of [[], ["--dry-run"]]) {
      const { code, out } = await command(api.url, ["jobs", "pull", id, folder.path, ...more]);
      expect(code).toBe(0);
      expect(out).toBe(
        "live\\u001b[2J\nsecond line\nThe API gives this command, which was not run:\n" +
          "  rsync a b; touch PWNED $(id) `id`\\u000a\\u001b[2J\\u009b31m\\u202e \\ud800\n",
      );
    }
    const { out } = await command(api.url, ["jobs", "pull", id, folder.path, "--json"]);
    expect(JSON.parse(out)).toMatchObject({ command: EVIL, commandShowStdout: true, files: [] });
    for (const character of ["\u001b", "\u009b", "\u202e"]) expect(out).not.toContain(character);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test("names every path that would leave the folder and ends with 1", async () => {
    await using api = await startEmulator();
    await using folder = await temporary();
    const id = api.addJob({ outputs: { "../a": "a", "C:\\b": "b", fine: "c" } });
    const { code, out, err } = await command(api.url, ["jobs", "pull", id, folder.path]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/"\.\.\/a".*"C:\\\\b".*Nothing was downloaded/);
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe("jobs cancel", () => {
  test("ends with 0 when the job is cancelled, and with 3 when it had finished", async () => {
    await using api = await startEmulator({ operationSeconds: 0.05 });
    const running = api.addJob({ status: "running" });
    expect(await command(api.url, ["jobs", "cancel", running])).toEqual({
      code: 0,
      out: `job ${running} is cancelled\n`,
      err: "",
    });
    const completed = api.addJob();
    const { code, out } = await command(api.url, ["jobs", "cancel", completed, "--json"]);
    expect([code, JSON.parse(out)]).toMatchObject([3, { outcome: "already finished", job: { status: "completed" } }]);
  });

  test("ends with 1 at its time limit", async () => {
    await using api = await startEmulator({ operationSeconds: 60 });
    const id = api.addJob({ status: "running" });
    const { code, err } = await command(api.url, ["jobs", "cancel", id, "--timeout", "1"]);
    expect([code, err]).toEqual([1, expect.stringContaining("the time limit of 1 s has passed")]);
  });
});

describe("pulumi-tensorpool", () => {
  test.for([
    [[], "a command is missing"],
    [["frobnicate"], 'Cannot run "frobnicate"'],
    [["jobs"], "expected one of list, info, pull, cancel"],
    [["jobs", "constructor"], 'Cannot run "jobs constructor"'],
    [["jobs", "list", "x"], 'Cannot use "x"'],
    [["jobs", "list", "--frob"], "--frob"],
    [["jobs", "info"], "the job's ID is missing"],
    [["jobs", "info", "a", "b"], 'Cannot use "b"'],
    [["jobs", "pull"], "the job's ID is missing"],
    [["jobs", "pull", "a", "b", "c"], 'Cannot use "c"'],
    [["jobs", "pull", "a", "--at-once", "0"], '--at-once "0"'],
    [["jobs", "pull", "a", "--system", "beos"], '--system "beos"'],
    [["jobs", "cancel", "a", "--timeout", "soon"], '--timeout "soon"'],
    [["import"], "expected one of cluster, volume, attachment, key, bucket"],
    [["import", "disk", "b"], 'Cannot import "disk"'],
    [["import", "volume"], "an ID is missing"],
    [["import", "attachment", "c-1"], '"<cluster id>/<volume id>"'],
    [["import", "key", "k-1", "--stack=a", "--stack-export=b"], "--stack with --stack-export"],
    [["orphans"], "give --stack-export FILE"],
    [["orphans", "a.json"], "give --stack-export FILE"],
  ] as const)("ends with 2 and asks nothing when the arguments are %j", async ([args, words]) => {
    const { code, out, err } = await command("http://127.0.0.1:1", args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(words);
    expect(err).toContain("--help");
  });

  test.for([
    [["--help"], "jobs cancel ID"],
    [["help"], "jobs cancel ID"],
    [["jobs", "-h"], "jobs cancel ID"],
    [["jobs", "list", "--help"], "--org"],
    [["jobs", "info", "--help"], "Shows one job"],
    [["jobs", "pull", "--help"], "--overwrite"],
    [["jobs", "cancel", "x", "--help"], "Ends with 3"],
    [["import", "--help"], "pulumi import --file tensorpool-import.json --generate-code=false"],
    [["orphans", "-h"], "pulumi stack export --stack prod | npx pulumi-tensorpool orphans --stack-export -"],
  ] as const)("tells all that is needed when the arguments are %j", async ([args, words]) => {
    const { code, out, err } = await command("http://127.0.0.1:1", args);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(words);
    expect(out).toContain("TENSORPOOL_KEY");
    expect(out).toContain("Exit codes:");
  });

  test("tells its version when the arguments are --version", async () => {
    const own = { code: 0, out: `${VERSION}\n`, err: "" };
    expect(await command("http://127.0.0.1:1", ["--version"], false, undefined, { env: {} })).toEqual(own);
  });

  test("writes nothing that could steer a terminal, whoever has said it", async () => {
    await using api = await startEmulator();
    api.addFault({ kind: "status", status: 400, body: { message: EVIL }, on: "GET /job/list" });
    for (const args of [["jobs", "list"], [EVIL], ["jobs", "list", EVIL]]) {
      const { code, out, err } = await command(api.url, args);
      expect([code, out]).toEqual([args.includes(EVIL) ? 2 : 1, ""]);
      expect(err).toContain("\\u001b[2J");
      expect(err).not.toMatch(/[\u001b\u009b\u202e]/);
    }
  });

  test("takes what follows -- for an argument, whatever it looks like", async () => {
    await using api = await startEmulator();
    const { code, out, err } = await command(api.url, ["jobs", "info", "--", "--help"]);
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("Cannot GET /job/info/--help")]);
  });

  test("ends with 1 and the reason when the API refuses, or there is no key", async () => {
    await using api = await startEmulator();
    const { code, err } = await command(api.url, ["jobs", "info", "j-none"]);
    expect([code, err]).toEqual([1, expect.stringContaining("Cannot GET /job/info/j-none: the API answered 404")]);
    const keyless = await command(api.url, ["jobs", "list"], false, undefined, { env: {} });
    expect(keyless).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("no API key is set. Set env TENSORPOOL_KEY\n"),
    });
  });

  function start(
    api: Emulator,
    args: readonly string[],
    stdout: "pipe" | number = "pipe",
    stdin: "pipe" | "ignore" = "ignore",
  ): ChildProcess {
    const main = join(import.meta.dirname, "../../provider/command/main.ts");
    const env = { ...process.env, TENSORPOOL_KEY: "test-key", TENSORPOOL_ENGINE: api.url };
    return spawn(process.execPath, [main, ...args], { env, stdio: [stdin, stdout, "pipe"] });
  }
  async function pulling(api: Emulator, folder: string): Promise<ChildProcess> {
    const id = api.addJob({ outputs: { big: { bytes: 2 ** 40 } } });
    const child = start(api, ["jobs", "pull", id, folder]);
    for (;;) {
      const files = await readdir(folder);
      if (files.some((name) => name.endsWith(".part"))) return child;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  const ended = (child: ChildProcess) => new Promise((resolve) => child.once("close", resolve));

  test("ends with 130 at Ctrl-C, soon, and takes partial files away", { timeout: 20_000 }, async () => {
    await using api = await startEmulator();
    await using folder = await temporary();
    const child = await pulling(api, folder.path);
    child.kill("SIGINT");
    expect([await ended(child), await readdir(folder.path)]).toEqual([130, []]);
  });

  test("ends with 130 at Ctrl-C while it waits for stdin", { timeout: 20_000 }, async () => {
    await using api = await startEmulator();
    const child = start(api, ["orphans", "--stack-export", "-"], "pipe", "pipe");
    // Only what has come up reads its stdin: more than the pipe holds is taken when it does.
    await new Promise((resolve) => child.stdin?.write(" ".repeat(2 ** 20), resolve));
    child.kill("SIGINT");
    expect(await ended(child)).toBe(130);
  });

  test("ends a download, with what it has begun, when nobody reads on", { timeout: 20_000 }, async () => {
    await using api = await startEmulator();
    await using folder = await temporary();
    const id = api.addJob({ outputs: { first: "1", second: { bytes: 2 ** 40 } } });
    const child = start(api, ["jobs", "pull", id, folder.path, "--at-once", "1"]);
    child.stdout?.destroy();
    expect([await ended(child), await readdir(folder.path)]).toEqual([130, ["first"]]);
  });

  test("ends with another code than 0 when the output cannot be written", { timeout: 20_000 }, async () => {
    await using api = await startEmulator();
    api.addJob();
    await using folder = await temporary();
    // A file that is open for reading takes no output, on any system.
    const file = join(folder.path, "read-only");
    await writeFile(file, "");
    await using readOnly = await open(file, "r");
    const child = start(api, ["jobs", "list"], readOnly.fd);
    let said = "";
    child.stderr?.on("data", (piece) => void (said += piece));
    expect([await ended(child), said]).toEqual([1, expect.stringMatching(/^Cannot write the output: E/)]);
  });

  test("takes away what a killed download has left, and nothing of one that runs", { timeout: 20_000 }, async () => {
    await using api = await startEmulator();
    await using folder = await temporary();
    const dead = await pulling(api, folder.path);
    dead.kill("SIGKILL");
    await ended(dead);
    const [running, old] = [partName(), partName()];
    for (const name of [running, old]) await writeFile(join(folder.path, name), "");
    await utimes(join(folder.path, old), 0, 0);
    const small = api.addJob({ outputs: { small: "s" } });
    expect((await command(api.url, ["jobs", "pull", small, folder.path])).code).toBe(0);
    expect((await readdir(folder.path)).toSorted()).toEqual([running, "small"]);
  });
});
