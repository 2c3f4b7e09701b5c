import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { EmulatorOptions, Ledger } from "../test/emulator/index.ts";

/** The API in another process. */
export interface Api {
  readonly url: string;
  ledger(): Promise<Ledger>;
}

/** What can cross a process boundary. */
type Options = Omit<EmulatorOptions, "clock">;

/** Starts one emulator for each set of options, all in one other process; disposing ends it. */
export async function startApis(options: readonly Options[]): Promise<AsyncDisposable & { readonly apis: Api[] }> {
  const file = path.join(import.meta.dirname, "emulator-main.ts");
  const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const urls: string[] = JSON.parse(line);
  return {
    apis: urls.map((url) => ({ url, ledger: () => ledgerAt(url) })),
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}

async function ledgerAt(url: string): Promise<Ledger> {
  const response = await fetch(`${url}/__emulator/ledger`);
  const ledger: Ledger = JSON.parse(await response.text());
  return ledger;
}

export function envOf({ url }: Pick<Api, "url">): { TENSORPOOL_ENGINE: string; TENSORPOOL_KEY: string } {
  return { TENSORPOOL_ENGINE: url, TENSORPOOL_KEY: "test-key" };
}
