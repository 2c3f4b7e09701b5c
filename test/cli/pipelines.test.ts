import { writeFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { type CommandResult, type RunningCommand, startCommand } from "../../tools/process.ts";
import { sendSignal } from "../../tools/process-tree.ts";
import { githubScripts, gitlabScripts } from "../pipelines.ts";
import { MAIN } from "./command.ts";
import { killNow, until } from "./crash.ts";
import { openScene, type Scene } from "./scene.ts";

/** Lines that fetch from the network what is here already. */
const FETCHING = /^(npm ci\b|curl -fsSL https:\/\/get\.pulumi\.com \| sh$|export PATH=)/;

const only = (lines: readonly string[] = []): string[] => lines.filter((line) => !FETCHING.test(line));

/** A shell as the runner starts it: GitHub's for each step, GitLab's for all lines of a job. */
interface Pipeline {
  readonly preview: string;
  readonly up: string;
  readonly resume: string;
  readonly orphans: string;
  readonly shell: readonly string[];
}

const github = githubScripts();
const gitlab = gitlabScripts();
const joined = (...lines: readonly string[][]): string => lines.flatMap(only).join("\n");

const PIPELINES: Readonly<Record<"GitHub Actions" | "GitLab CI", Pipeline>> = {
  "GitHub Actions": {
    preview: joined(github["preview"] ?? []),
    up: joined(github["up"] ?? []),
    resume: joined(github["up: inputs.unlock"] ?? [], github["up"] ?? []),
    orphans: joined(github["orphans"] ?? []),
    shell: ["-e"],
  },
  "GitLab CI": {
    preview: joined(gitlab["preview"] ?? []),
    up: joined(gitlab["up"] ?? []),
    resume: joined(gitlab["resume"] ?? []),
    orphans: joined(gitlab["orphans"] ?? []),
    shell: ["-eo", "pipefail"],
  },
};

/** Starts a script of the pipeline in the program's folder: from a file, as what `-c` is given replaces the shell. */
function start({ stack }: Scene, { shell }: Pipeline, script: string, env = {}): RunningCommand {
  const file = path.join(stack.folder, "script.sh");
  writeFileSync(file, script);
  const variables = { PULUMI_STACK: stack.name, STACKS: stack.name, CI: "true" };
  return startCommand("bash", [...shell, file], {
    cwd: stack.folder,
    env: { ...stack.env, ...variables, ...env },
    timeoutMs: 90_000,
  });
}

/** What `npm ci` makes of the package's `bin`. */
async function installCommand({ stack }: Scene): Promise<void> {
  const bin = path.join(stack.folder, "node_modules/.bin");
  await mkdir(bin);
  await writeFile(path.join(bin, "pulumi-tensorpool"), `#!/bin/sh\nexec node ${MAIN} "$@"\n`);
  await chmod(path.join(bin, "pulumi-tensorpool"), 0o755);
}

test("the pipelines have no other scripts than those that are run here", () => {
  expect(Object.keys(github)).toEqual(["preview", "up", "up: inputs.unlock", "orphans"]);
  expect(Object.keys(gitlab)).toEqual(["default", "preview", "up", "resume", "orphans"]);
  expect(only(gitlab["default"])).toEqual([]);
});

test.for(["GitHub Actions", "GitLab CI"] as const)(
  "%s: preview buys nothing, up is resumed after a dead runner, orphans fails the night",
  async (which) => {
    const pipeline = PIPELINES[which];
    const train = 'new Cluster("train", { instanceType: "1xH100", publicKeys });';
    await using scene = await openScene(train, { emulator: { operationSeconds: 3 } });
    const { api, bought, sent } = scene;
    await installCommand(scene);
    const run = (script: string, env = {}): Promise<CommandResult> => start(scene, pipeline, script, env).done;

    const preview = await run(pipeline.preview, { TENSORPOOL_KEY: "" });
    expect(preview.code, preview.output).toBe(0);
    expect(preview.output).toContain("3 to create");
    expect(api.ledger().requests).toEqual([]);

    const dead = start(scene, pipeline, pipeline.up);
    await until(() => bought().length === 1);
    await killNow(dead, "both");
    const resumed = await run(pipeline.resume);
    expect(resumed.code, resumed.output).toBe(0);
    expect(resumed.output).toContain("instead of creating a second one");
    expect(sent()).toEqual(["POST /cluster/create"]);
    expect(await run(pipeline.up)).toMatchObject({ code: 0 });
    expect(await run(pipeline.orphans)).toMatchObject({ code: 0, stdout: expect.stringContaining("no orphans (1 ") });
    api.addVolume();
    expect(await run(pipeline.orphans)).toMatchObject({ code: 1, stdout: expect.stringContaining("1 orphan, ") });
  },
);

/** How a runner cancels a job, and how long it then waits before it kills what is left. */
const CANCELLED = [
  {
    runner: "GitHub Actions",
    // To the shell of the step alone, and not to its whole process group; SIGTERM would come next, and 2.5 s later the end.
    cancel: (up: RunningCommand) => process.kill(up.pid ?? 0, "SIGINT"),
    withinMs: 7_500,
  },
  {
    runner: "GitLab CI",
    // To whatever runs in the container.
    cancel: (up: RunningCommand) => {
      for (const pid of [...up.descendants(), up.pid ?? 0]) sendSignal(pid, "SIGTERM");
    },
    withinMs: 10_000,
  },
] as const;

test.for(CANCELLED)(
  "$runner: a cancelled job ends in time, and the next run goes on",
  async ({ runner, cancel, withinMs }) => {
    const pipeline = PIPELINES[runner];
    const data = 'new StorageVolume("data", { sizeGb: 1 });';
    await using scene = await openScene(data, { emulator: { operationSeconds: 5 } });
    const { stack, bought } = scene;
    const up = start(scene, pipeline, pipeline.up);
    await until(() => bought().length === 1);
    cancel(up);
    const sinceMs = performance.now();
    expect((await up.done).code).not.toBe(0);
    await until(() => up.descendants().length === 0);
    expect(performance.now() - sinceMs).toBeLessThan(withinMs);
    expect(await scene.tracked()).toEqual(bought());
    const next = await start(scene, pipeline, pipeline.up).done;
    expect(next.code, next.output).toBe(0);
    expect(bought()).toHaveLength(1);
    await stack.destroy([], { check: true });
  },
);
