import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const REPOSITORY = path.dirname(import.meta.dirname);

/** What a program sees in `node_modules`: this repository as the package, and the very SDK that it is built with. */
const PACKAGES: Readonly<Record<string, string>> = {
  "pulumi-tensorpool": ".",
  "@pulumi/pulumi": "node_modules/@pulumi/pulumi",
  "@types/node": "node_modules/@types/node",
  typescript: "node_modules/typescript",
};

export interface Program extends AsyncDisposable {
  readonly folder: string;
}

/**
 * Writes a Pulumi program into a temporary folder, which disposing removes. The files are given by path, with at least
 * an `index.ts` or `index.js`; `package.json` (an ES module), `tsconfig.json` and `Pulumi.yaml` are added unless given.
 */
export async function createProgram(files: Readonly<Record<string, string>>, name = "program"): Promise<Program> {
  const main = "index.ts" in files ? "index.ts" : "index.js";
  const compilerOptions = { strict: true, target: "es2024", module: "nodenext", types: ["node"], skipLibCheck: true };
  const all: Readonly<Record<string, string>> = {
    "package.json": JSON.stringify({ name, private: true, type: "module", main }),
    ...(main === "index.ts" && { "tsconfig.json": JSON.stringify({ compilerOptions, files: [main] }) }),
    "Pulumi.yaml": `name: ${name}\nruntime: nodejs\nmain: ${main}\n`,
    ...files,
  };
  const folder = await mkdtemp(path.join(tmpdir(), "pulumi-program-"));
  for (const [file, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  for (const [dependency, target] of Object.entries(PACKAGES)) {
    const link = path.join(folder, "node_modules", dependency);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(REPOSITORY, target), link, "junction");
  }
  return { folder, [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }) };
}
