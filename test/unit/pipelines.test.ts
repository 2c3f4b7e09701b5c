import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire, registerHooks } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { GITHUB, GITLAB, githubJobs } from "../pipelines.ts";

// GitHub's parser imports JSON as bundlers do; Node wants to be told that it is JSON.
const hooks = registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.endsWith(".json") ? { ...found, importAttributes: { type: "json" } } : found;
  },
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
hooks.deregister();

describe("the workflow for GitHub Actions", () => {
  /** What GitHub's own parser finds wrong. */
  async function faults(content: string): Promise<string[]> {
    const { context, value } = parseWorkflow({ name: "infrastructure.yml", content }, new NoOperationTraceWriter());
    if (value !== undefined) await convertWorkflowTemplate(context, value);
    return context.errors.getErrors().map(({ message }) => message);
  }

  test("is one that GitHub takes", async () => {
    expect(await faults(GITHUB)).toEqual([]);
  });

  test.for([
    ["runs-on:", "run-on:", "Unexpected value 'run-on'"],
    ["cancel-in-progress: true", "cancel: true", "Unexpected value 'cancel'"],
    ["queue: max", "queue: most", "Unexpected value 'most'"],
    ["== 'push'", "= 'push'", "Unexpected symbol: '='"],
    ["17 3 * * *", "17 30 * * *", "Invalid cron expression"],
    ["secrets.TENSORPOOL_KEY", "secret.TENSORPOOL_KEY", "Unrecognized named-value: 'secret'"],
    ["timeout-minutes: 240", "needs: preveiw", "unknown job 'preveiw'"],
    ["type: boolean", "type: bool", "Unexpected value 'bool'"],
  ] as const)("would not pass with %s turned into %s", async ([right, wrong, says]) => {
    expect(GITHUB).toContain(right);
    expect((await faults(GITHUB.replace(right, wrong))).join("\n")).toContain(says);
  });

  test.for([
    ["pull_request", "refs/pull/1/merge", "acme/shop", ["preview"]],
    ["pull_request", "refs/pull/1/merge", "mallory/shop", []],
    ["push", "refs/heads/main", "", ["up"]],
    ["workflow_dispatch", "refs/heads/main", "", ["up"]],
    ["workflow_dispatch", "refs/heads/side", "", []],
    ["schedule", "refs/heads/main", "", ["orphans"]],
  ] as const)("runs at a %s on %s of %j what belongs there", ([event_name, ref, full_name, expected]) => {
    const github = {
      event_name,
      ref,
      repository: "acme/shop",
      event: { pull_request: { head: { repo: { full_name } } } },
    };
    // These expressions mean the same in JavaScript.
    const runs = Object.entries(githubJobs()).filter(([, job]) => runInNewContext(job.if, { github }));
    expect(runs.map(([name]) => name)).toEqual(expected);
  });

  test("gives the API key to the steps that buy or look, in jobs that only main may run, one after the other", () => {
    const trusted = Object.entries(githubJobs()).flatMap(([name, { steps, environment, concurrency }]) => {
      const keyed = steps.filter(({ env = {} }) => "TENSORPOOL_KEY" in env);
      return keyed.map(({ run }) => ({ name, run, environment, concurrency }));
    });
    const concurrency = { group: "up", queue: "max" };
    expect(trusted).toEqual([
      { name: "up", run: expect.stringContaining("pulumi up"), environment: "tensorpool", concurrency },
      { name: "orphans", run: expect.stringContaining(" orphans "), environment: expect.anything(), concurrency },
    ]);
    expect(GITHUB.match(/secrets\.TENSORPOOL_KEY/g)).toHaveLength(trusted.length);
  });

  test("names all actions by commit and version, and ends every job some time", () => {
    const uses = GITHUB.split("\n").filter((line) => line.includes("uses:"));
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    expect(uses).toHaveLength(9);
    for (const job of Object.values(githubJobs())) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });
});

describe("the pipeline for GitLab CI", () => {
  const require = createRequire(import.meta.url);
  const BIN = require.resolve("gitlab-ci-local");

  interface Listed {
    readonly code: number | null;
    readonly words: string;
    /** When each job runs, by its name. */
    readonly jobs: Readonly<Record<string, string>>;
  }

  /** What becomes of it: by GitLab's published schema, and by its rules for these variables. */
  async function list(content: string, variables: Readonly<Record<string, string>> = {}): Promise<Listed> {
    const cwd = await mkdtemp(path.join(tmpdir(), "gitlab-"));
    try {
      spawnSync("git", ["init", "--quiet", "."], { cwd });
      await writeFile(path.join(cwd, ".gitlab-ci.yml"), content);
      const given = Object.entries(variables).flatMap(([key, value]) => ["--variable", `${key}=${value}`]);
      const quiet = ["--ignore-predefined-vars", Object.keys(variables).join(",")];
      const args = [BIN, "--list-json", "--home", cwd, ...given, ...quiet];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
      const jobs = status === 0 ? (JSON.parse(stdout) as { name: string; when: string }[]) : [];
      return {
        code: status,
        words: stdout + stderr,
        jobs: Object.fromEntries(jobs.map(({ name, when }) => [name, when])),
      };
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  }

  const NONE = { preview: "never", up: "never", resume: "never", orphans: "never" };

  test.for([
    ["merge_request_event", "", { ...NONE, preview: "on_success" }],
    ["push", "main", { ...NONE, up: "on_success", resume: "manual" }],
    ["push", "side", NONE],
    ["schedule", "main", { ...NONE, orphans: "on_success" }],
  ] as const)("runs at a %s on %j what belongs there", async ([source, branch, jobs]) => {
    const variables = { CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: branch, CI_DEFAULT_BRANCH: "main" };
    expect((await list(GITLAB, variables)).jobs).toEqual(jobs);
  });

  test.for([
    ["resource_group: up", "resource_groop: up", "resource_groop"],
    ["extends: .up", "extends: .upp", ".upp is unspecified"],
    ["when: manual", "when: manuel", "when"],
    ["stage: preview", "stage: preveiw", "preveiw not found"],
  ] as const)("would not pass with %s turned into %s", async ([right, wrong, says]) => {
    expect(GITLAB).toContain(right);
    const { code, words } = await list(GITLAB.replace(right, wrong));
    expect([code, words]).toEqual([1, expect.stringContaining(says)]);
  });
});
