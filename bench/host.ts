import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";

type Props = Readonly<Record<string, unknown>>;

/** The Node host of dynamic providers in a process of its own, as the engine starts it. */
export interface Host extends AsyncDisposable {
  readonly pid: number;
  /** Milliseconds from the start of the process until it was ready to be called. */
  readonly readyMs: number;
  /** How many lines it has logged to the engine. */
  lines(): number;
  check(props: Props): Promise<void>;
  create(props: Props): Promise<void>;
}

const load = createRequire(import.meta.url);
const services: typeof import("@pulumi/pulumi/proto/provider_grpc_pb.js") = load(
  "@pulumi/pulumi/proto/provider_grpc_pb.js",
);
const messages: typeof import("@pulumi/pulumi/proto/provider_pb.js") = load("@pulumi/pulumi/proto/provider_pb.js");
const engine: typeof import("@pulumi/pulumi/proto/engine_grpc_pb.js") = load("@pulumi/pulumi/proto/engine_grpc_pb.js");
const { Struct }: typeof import("google-protobuf/google/protobuf/struct_pb.js") = load(
  "google-protobuf/google/protobuf/struct_pb.js",
);
const { Empty }: typeof import("google-protobuf/google/protobuf/empty_pb.js") = load(
  "google-protobuf/google/protobuf/empty_pb.js",
);

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts the host in the folder of a program, with an engine that takes its lines and counts them. */
export async function startHost(folder: string, env: Readonly<Record<string, string>>): Promise<Host> {
  let lines = 0;
  const server = new grpc.Server();
  server.addService(engine.EngineService, {
    log(_call: unknown, answer: grpc.sendUnaryData<InstanceType<typeof Empty>>) {
      lines += 1;
      answer(null, new Empty());
    },
  });
  const enginePort = await new Promise<number>((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
  const sinceMs = performance.now();
  const host = path.dirname(load.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js"));
  const child = spawn(process.execPath, [host, `127.0.0.1:${enginePort}`], {
    cwd: folder,
    env: { ...process.env, PULUMI_NODEJS_PROJECT: "bench", PULUMI_PROJECT: "bench", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const [port] = await once(createInterface(child.stdout), "line");
  const readyMs = performance.now() - sinceMs;
  const client = new services.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const configuration = new messages.ConfigureRequest();
  configuration.setArgs(Struct.fromJavaScript({}));
  await new Promise<void>((resolve, reject) => {
    client.configure(configuration, (error) => (error ? reject(error) : resolve()));
  });
  return {
    pid: child.pid ?? 0,
    readyMs,
    lines: () => lines,
    check(props) {
      const request = new messages.CheckRequest();
      request.setUrn(URN);
      request.setOlds(Struct.fromJavaScript({}));
      request.setNews(structOf(props));
      return new Promise((resolve, reject) => {
        client.check(request, (error) => (error ? reject(error) : resolve()));
      });
    },
    create(props) {
      const request = new messages.CreateRequest();
      request.setUrn(URN);
      request.setProperties(structOf(props));
      return new Promise((resolve, reject) => {
        client.create(request, (error) => (error ? reject(error) : resolve()));
      });
    },
    async [Symbol.asyncDispose]() {
      client.close();
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      running.delete(child);
      server.forceShutdown();
    },
  };
}

const URN = "urn:pulumi:bench::bench::pulumi-nodejs:dynamic/bench:Cluster::train";

function structOf(props: Props): InstanceType<typeof Struct> {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(props)));
}
