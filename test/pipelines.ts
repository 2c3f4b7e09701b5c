import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

const FOLDER = path.join(import.meta.dirname, "../examples/pipelines");

export const GITHUB: string = readFileSync(path.join(FOLDER, "github-actions.yml"), "utf8");
export const GITLAB: string = readFileSync(path.join(FOLDER, "gitlab-ci.yml"), "utf8");

interface GithubStep {
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface GithubJob {
  readonly if: string;
  readonly environment?: unknown;
  readonly "timeout-minutes"?: number;
  readonly concurrency?: Readonly<Record<string, unknown>>;
  readonly steps: readonly GithubStep[];
}

/** The jobs of the workflow, by name. */
export function githubJobs(): Readonly<Record<string, GithubJob>> {
  return (parse(GITHUB) as { readonly jobs: Readonly<Record<string, GithubJob>> }).jobs;
}

type GitlabFile = Readonly<Record<string, { readonly before_script?: string[]; readonly script?: string[] }>>;

/** What a job runs, by job; a step of GitHub's that has a condition stands under `job: condition`. */
export function githubScripts(): Record<string, string[]> {
  const scripts: Record<string, string[]> = {};
  for (const [name, { steps }] of Object.entries(githubJobs())) {
    for (const { if: condition, run } of steps) {
      const key = condition === undefined ? name : `${name}: ${condition}`;
      if (run !== undefined) (scripts[key] ??= []).push(run);
    }
  }
  return scripts;
}

/** What a job runs, by job; what all of them run before stands under `default`. */
export function gitlabScripts(): Record<string, string[]> {
  const jobs = Object.entries(parse(GITLAB) as GitlabFile).flatMap(([name, job]): [string, string[]][] => {
    const lines = job.script ?? job.before_script;
    return lines === undefined ? [] : [[name, lines]];
  });
  return Object.fromEntries(jobs);
}
