import { spawn } from "node:child_process";
import type { Plugin } from "../engine/plugin.ts";
import { type EngineServer, type Line, startEngineServer } from "./engine-server.ts";
import { grpc, HOST, providerMessages, providerService, toStruct } from "./grpc.ts";
import { hostPlugin } from "./host-plugin.ts";

export interface HostOptions {
  /** The program's folder, from which the package is resolved. */
  readonly folder: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Stack configuration. @default none */
  readonly config?: Readonly<Record<string, string>>;
  /** Milliseconds after which a call that nobody answers fails. @default 60_000 */
  readonly callLimitMs?: number;
}

/** A real Node host of dynamic providers, and this process as its engine. */
export interface HostProcess extends AsyncDisposable {
  readonly plugin: Plugin;
  readonly pid: number | undefined;
  /** What it has said to the engine. */
  readonly lines: readonly Line[];
  /** What it has written on stdout and stderr, but for its port. */
  readonly output: () => string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** SIGKILL. */
  readonly kill: () => void;
  /** The engine vanishes; the process lives on until it notices. */
  readonly orphan: () => void;
}

export async function startHost(options: HostOptions): Promise<HostProcess> {
  const { folder, env = {}, config = {}, callLimitMs = 60_000 } = options;
  const engine: EngineServer = await startEngineServer();
  const child = spawn(process.execPath, [HOST, engine.address], {
    cwd: folder,
    env: { ...process.env, PULUMI_NODEJS_PROJECT: "chaos", PULUMI_PROJECT: "chaos", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let output = "";
  const port = await new Promise<string>((resolve, reject) => {
    let first = "";
    let hasPort = false;
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      if (hasPort) {
        output += piece;
        return;
      }
      first += piece;
      const [line, ...rest] = first.split("\n");
      if (rest.length === 0 || line === undefined) return;
      hasPort = true;
      output += rest.join("\n");
      resolve(line);
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      output += piece;
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Cannot start the Node host: it ended with ${code}\n${output}`)));
  });
  const client = new providerService.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  await new Promise<void>((resolve, reject) => {
    const request = new providerMessages.ConfigureRequest();
    request.setArgs(toStruct(config));
    request.setAcceptsecrets(true);
    client.configure(request, (error) => (error ? reject(error) : resolve()));
  });
  return {
    plugin: hostPlugin(client, callLimitMs),
    pid: child.pid,
    lines: engine.lines,
    output: () => output,
    ended,
    kill: () => void child.kill("SIGKILL"),
    orphan: () => engine.close(),
    async [Symbol.asyncDispose]() {
      client.close();
      child.kill("SIGKILL");
      engine.close();
      await ended;
    },
  };
}
