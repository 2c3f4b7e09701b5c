import { randomBytes } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type CommandResult, type RunningCommand, startCommand } from "../../tools/process.ts";
import { createProgram } from "../../tools/program.ts";
import { findPulumi } from "../../tools/pulumi.ts";

export interface StackOptions {
  /** The program's folder, or its files by path: see `createProgram`. */
  readonly program: string | Readonly<Record<string, string>>;
  /** @default one that no other stack has */
  readonly name?: string;
  /** The folder that holds the state. @default a temporary one */
  readonly backend?: string;
  /** Variables for the CLI and the program, on top of this process's own without `PULUMI_*` and `TENSORPOOL_*`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, string | { readonly secret: string }>>;
  /** Whether the CLI's output has colours. @default false */
  readonly hasColors?: boolean;
  /** Called with each piece of what the CLI prints as it comes. */
  readonly onOutput?: (text: string) => void;
}

export interface RunOptions {
  /** Throw when the CLI ends with another code than 0. @default false */
  readonly check?: boolean;
  /** Milliseconds before the CLI and all it started are killed. @default 120_000 */
  readonly timeoutMs?: number;
  /** Variables for this one command, on top of the stack's; an empty text stands for "not set". */
  readonly env?: Readonly<Record<string, string>>;
}

type Run = (args?: readonly string[], options?: RunOptions) => Promise<CommandResult>;

/** A stack of its own, driven through the real CLI. Disposing it kills what still runs and removes what is temporary. */
export interface Stack extends AsyncDisposable {
  readonly name: string;
  /** The program's folder. */
  readonly folder: string;
  readonly backend: string;
  /** What the CLI has in its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly up: Run;
  readonly preview: Run;
  readonly refresh: Run;
  readonly destroy: Run;
  readonly cancel: Run;
  /** The state, as `pulumi stack export` prints it, parsed. */
  export(): Promise<unknown>;
  /** Puts a state in place, as `pulumi stack import` does. */
  import(state: unknown, options?: RunOptions): Promise<CommandResult>;
  /** Any command of the CLI on this stack, such as `["import", "--file", file]`. */
  run(args: readonly string[], options?: RunOptions): Promise<CommandResult>;
  /** Starts a command without waiting for its end: for Ctrl-C, kills and things that happen in between. */
  spawn(args: readonly string[], env?: RunOptions["env"]): RunningCommand;
}

/** Commands that change something ask first, and `up`, `refresh` and `destroy` show a preview before. */
const UNASKED: Readonly<Record<string, readonly string[]>> = {
  up: ["--yes", "--skip-preview"],
  refresh: ["--yes", "--skip-preview"],
  destroy: ["--yes", "--skip-preview"],
  cancel: ["--yes"],
  import: ["--yes"],
};
/** Commands that read the program's config; the others refuse the flag. */
const WITH_CONFIG = new Set(["up", "preview", "refresh", "destroy", "import", "config"]);

/** Makes an empty stack in a file backend. Removes all it made when it fails, and throws with the CLI's own words. */
export async function createStack(options: StackOptions): Promise<Stack> {
  const { program, name, backend, env = {}, config = {}, hasColors = false, onOutput } = options;
  const color = hasColors ? "always" : "never";
  const pulumi = await findPulumi();
  await using cleanup = new AsyncDisposableStack();
  const temporary = await mkdtemp(path.join(tmpdir(), "pulumi-stack-"));
  cleanup.defer(async () => rm(temporary, { recursive: true, force: true }));
  const folder = typeof program === "string" ? path.resolve(program) : cleanup.use(await createProgram(program)).folder;
  const stackName = name ?? `test-${randomBytes(4).toString("hex")}`;
  const state = path.resolve(backend ?? path.join(temporary, "backend"));
  await mkdir(state, { recursive: true });
  // The CLI writes the stack's config beside Pulumi.yaml. With a copy of that file it does so here, not in an example.
  const project = path.join(temporary, "project");
  await mkdir(project);
  await copyFile(path.join(folder, "Pulumi.yaml"), path.join(project, "Pulumi.yaml"));

  const commands = new Set<RunningCommand>();
  cleanup.defer(async () => {
    await Promise.all([...commands].map(async (command) => command[Symbol.asyncDispose]()));
  });

  const environment = {
    // A developer's login, backend or, worst, real API key must not get into a test.
    ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(PULUMI|TENSORPOOL)/i.test(key))),
    PULUMI_HOME: path.join(temporary, "home"),
    // A CLI that is killed leaves its pipes in the temporary folder.
    TMPDIR: temporary,
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    ...env,
    // The launcher of dynamic providers is a shell script that calls "node": it must be the one that runs us.
    PATH: [path.dirname(pulumi.path), path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter),
  };

  const spawn = (args: readonly string[], env: RunOptions["env"] = {}, cwd = folder): RunningCommand => {
    const [command = ""] = args;
    const configFile = ["--config-file", path.join(project, `Pulumi.${stackName}.yaml`)];
    // The one kind of refresh that asks nothing, and refuses to be told so.
    const unasked = args.includes("--preview-only") ? [] : (UNASKED[command] ?? []);
    const flags = ["--stack", stackName, "--non-interactive", "--color", color, ...unasked];
    const all = [...args, ...flags, ...(WITH_CONFIG.has(command) ? configFile : [])];
    const running = startCommand(pulumi.path, all, {
      cwd,
      env: { ...environment, ...env },
      ...(onOutput && { onOutput }),
    });
    commands.add(running);
    return running;
  };
  const run = async (args: readonly string[], options: RunOptions = {}, cwd = folder): Promise<CommandResult> => {
    const { check = false, timeoutMs = 120_000, env } = options;
    const command = spawn(args, env, cwd);
    const limit = setTimeout(() => void command[Symbol.asyncDispose](), timeoutMs);
    const result = await command.done;
    clearTimeout(limit);
    if (check && result.code !== 0) {
      const how =
        result.code === null ? `is killed, by this harness after ${timeoutMs} ms` : `ends with ${result.code}`;
      throw new Error(`Cannot run "pulumi ${args.join(" ")}" on stack "${stackName}": it ${how}\n${result.output}`);
    }
    return result;
  };
  const runner =
    (command: string): Run =>
    async (args = [], options = {}) =>
      run([command, ...args], options);

  await run(["stack", "init"], { check: true }, project);
  const values = Object.entries(config).flatMap(([key, value]) =>
    typeof value === "string" ? ["--plaintext", `${key}=${value}`] : ["--secret", `${key}=${value.secret}`],
  );
  if (values.length > 0) await run(["config", "set-all", ...values], { check: true }, project);

  const owned = cleanup.move();
  return {
    name: stackName,
    folder,
    backend: state,
    env: environment,
    up: runner("up"),
    preview: runner("preview"),
    refresh: runner("refresh"),
    destroy: runner("destroy"),
    cancel: runner("cancel"),
    export: async () => JSON.parse((await run(["stack", "export"], { check: true })).stdout),
    import: async (content, options) => {
      const file = path.join(temporary, "import.json");
      await writeFile(file, JSON.stringify(content));
      return run(["stack", "import", "--file", file], options);
    },
    run,
    spawn,
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}
