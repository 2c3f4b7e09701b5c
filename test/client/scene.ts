import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Jobs } from "../../provider/client/index.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../emulator/index.ts";

/** One API on real time, a folder to download into, and the jobs of a client. */
export interface Scene extends AsyncDisposable {
  readonly api: Emulator;
  readonly folder: string;
  readonly jobs: Jobs;
  /** Every file in the folder, by its path. */
  files(): Promise<Record<string, string>>;
}

export async function scene(options: EmulatorOptions = {}): Promise<Scene> {
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
