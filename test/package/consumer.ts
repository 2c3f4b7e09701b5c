import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { packPackage, run } from "./packed.ts";

/** How a consumer's program is written, compiled and loaded. */
export interface Variant {
  readonly title: string;
  readonly fixture: "program.ts" | "require.cjs" | "import.mjs";
  readonly type: "commonjs" | "module";
  /** For TypeScript: what its tsconfig.json says of modules. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Whether the compiler checks our declarations too, with all that they need. @default false */
  readonly checksLibraries?: boolean;
}

/** The ways that TypeScript of this major version offers. */
export function variants(major: 5 | 6): readonly Variant[] {
  // The oldest way, which many Pulumi projects still use, has to be asked for by now.
  const node10 = { moduleResolution: "node10", ...(major === 6 && { ignoreDeprecations: "6.0" }) };
  const bundler = typescript("commonjs", { module: "commonjs", moduleResolution: "bundler" });
  return [
    typescript("commonjs", { module: "commonjs", ...node10 }),
    ...(major === 6 ? [bundler] : []),
    typescript("commonjs", { module: "nodenext" }),
    { ...typescript("module", { module: "nodenext" }), checksLibraries: major === 6 },
    { title: "plain JavaScript with require", fixture: "require.cjs", type: "commonjs" },
    { title: "plain JavaScript with import", fixture: "import.mjs", type: "module" },
  ];
}

function typescript(type: Variant["type"], modules: Readonly<Record<string, string>>): Variant {
  const { module, moduleResolution = module } = modules;
  const title = `TypeScript for ${module} in a package of type ${type}, resolved as ${moduleResolution}`;
  return { title, fixture: "program.ts", type, modules };
}

/** What each of the programs prints. */
export const FACTS: string = JSON.stringify({
  declared: 5,
  attached: "data-on-train-id",
  create: "function",
  ledger: 200,
  billed: 0,
  found: "c-1",
});

export interface Consumer extends AsyncDisposable {
  /** The folder with package.json and node_modules. */
  readonly folder: string;
  /** The Node that runs this consumer's programs. */
  readonly node: string;
  /** The environment of its commands: with its Node, and without our own settings of Pulumi and TensorPool. */
  readonly env: NodeJS.ProcessEnv;
  /** Compiles and runs a program of its own folder, as `tsc && node` would. @throws when either fails */
  runVariant(variant: Variant): Promise<string>;
}

/** The packed package as a dependency. */
export const PACKAGE: Readonly<Record<string, string>> = { "pulumi-tensorpool": "file:TARBALL" };

export interface ConsumerOptions {
  /** The package manager's install command, run in the consumer's folder. */
  readonly install: readonly [file: string, ...args: string[]];
  /** By name; the package itself is one of them, as {@link PACKAGE}. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Further files by path, with `TARBALL` for the packed package's path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where the Node to use is found after the install, if not this process's own. */
  readonly node?: string;
}

/** A project in a temporary folder that has installed the packed package for real. */
export async function createConsumer(options: ConsumerOptions): Promise<Consumer> {
  const { install, dependencies, files = {} } = options;
  await using cleanup = new AsyncDisposableStack();
  const { tarball } = cleanup.use(await packPackage());
  const folder = await mkdtemp(path.join(tmpdir(), "consumer-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const node = options.node === undefined ? process.execPath : path.join(folder, options.node);
  const own = Object.entries(process.env).filter(([key]) => !/^(PULUMI|TENSORPOOL)/i.test(key));
  const env = {
    ...Object.fromEntries(own),
    PATH: [path.dirname(node), path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter),
  };
  const all = { "package.json": JSON.stringify({ name: "consumer", private: true, dependencies }), ...files };
  const texts = Object.entries(all).map(([file, text]) => [file, text.replaceAll("TARBALL", tarball)] as const);
  await write(folder, Object.fromEntries(texts));
  const [command, ...args] = install;
  await run(command, args, { cwd: folder, env });
  const owned = cleanup.move();
  return {
    folder,
    node,
    env,
    runVariant: (variant) => runVariant(variant, folder, node, env),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function runVariant(variant: Variant, folder: string, node: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { title, fixture, type, modules } = variant;
  const cwd = path.join(folder, title.replaceAll(/\W+/g, "-"));
  const file = modules === undefined ? fixture : "index.ts";
  const skipLibCheck = variant.checksLibraries !== true;
  const compilerOptions = { ...modules, strict: true, target: "es2022", types: ["node"], skipLibCheck };
  await write(cwd, {
    "package.json": JSON.stringify({ name: "program", private: true, type }),
    "tsconfig.json": JSON.stringify({ compilerOptions, files: [file] }),
  });
  await copyFile(path.join(import.meta.dirname, "fixtures", fixture), path.join(cwd, file));
  if (modules !== undefined) {
    const compiler = path.join(folder, "node_modules/typescript/bin/tsc");
    await run(node, [compiler, "-p", "."], { cwd, env });
  }
  return run(node, [file.replace(/\.ts$/, ".js")], { cwd, env });
}

/** Writes files by path into a folder, and the folders they need. */
export async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}
