import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire, registerHooks } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { GITHUB, GITLAB } from "../pipelines.ts";

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
    ["cancel-in-progress: false", "cancel: false", "Unexpected value 'cancel'"],
    ["== 'push'", "= 'push'", "Unexpected symbol: '='"],
    ["17 3 * * *", "17 30 * * *", "Invalid cron expression"],
    ["secrets.TENSORPOOL_KEY", "secret.TENSORPOOL_KEY", "Unrecognized named-value: 'secret'"],
    ["timeout-minutes: 150", "needs: preveiw", "unknown job 'preveiw'"],
    ["type: boolean", "type: bool", "Unexpected value 'bool'"],
  ] as const)("would not pass with %s turned into %s", async ([right, wrong, says]) => {
    expect(GITHUB).toContain(right);
    expect((await faults(GITHUB.replace(right, wrong))).join("\n")).toContain(says);
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
