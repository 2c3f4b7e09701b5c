import { createRequire } from "node:module";
import { join } from "node:path";

export interface EngineLine {
  readonly severity: "debug" | "info" | "warning" | "error";
  readonly message: string;
  /** The row it belongs to; only a well-formed URN is sent, any other text would crash the CLI. */
  readonly urn?: string | undefined;
  /** Shown on the resource's row until the next one, and not kept. */
  readonly isEphemeral?: boolean;
}

/** The Pulumi engine that has started this process. */
export interface Engine {
  /**
   * Resolves when the engine has taken the line.
   * @throws Error when it does not answer
   */
  log(line: EngineLine): Promise<void>;
}

const LIMIT_MS = 5_000;
const URN = /^urn:pulumi:.+::.+::.+::.+$/;

/** `text` if it is a URN: with any other in its place the CLI crashes. */
export function asUrn(text: string | undefined): string | undefined {
  return text !== undefined && URN.test(text) ? text : undefined;
}

/**
 * Connects to the engine of this provider process: its address is the host's last argument. gRPC and the protocol come
 * from the `@pulumi/pulumi` that the host has loaded already.
 * @returns `undefined` in any other process
 */
export function connectEngine(argv: readonly string[]): Engine | undefined {
  const [, host, ...rest] = argv;
  const address = rest.at(-1);
  if (host === undefined || !host.includes("dynamic-provider") || !address || !/^[\w.[\]-]+:\d+$/.test(address))
    return undefined;
  const load = createRequire(join(host, "index.js"));
  let connection: ReturnType<typeof connect> | undefined;

  // At the first line: what fails here must not keep the hooks from loading.
  function connect(to: string) {
    const grpc: typeof import("@grpc/grpc-js") = load("@grpc/grpc-js");
    const services: typeof import("@pulumi/pulumi/proto/engine_grpc_pb.js") = load(
      "@pulumi/pulumi/proto/engine_grpc_pb",
    );
    const messages: typeof import("@pulumi/pulumi/proto/engine_pb.js") = load("@pulumi/pulumi/proto/engine_pb");
    return { grpc, messages, client: new services.EngineClient(to, grpc.credentials.createInsecure()) };
  }

  return {
    async log({ severity, message, urn, isEphemeral = false }) {
      connection ??= connect(address);
      const { grpc, messages, client } = connection;
      const request = new messages.LogRequest();
      const levels = messages.LogSeverity;
      request.setSeverity(
        { debug: levels.DEBUG, info: levels.INFO, warning: levels.WARNING, error: levels.ERROR }[severity],
      );
      request.setMessage(message);
      request.setEphemeral(isEphemeral);
      const row = asUrn(urn);
      if (row !== undefined) request.setUrn(row);
      return new Promise((resolve, reject) => {
        const options = { deadline: Date.now() + LIMIT_MS };
        client.log(request, new grpc.Metadata(), options, (error) => (error ? reject(error) : resolve()));
      });
    },
  };
}

const WATCH_EVERY_MS = 10_000;
const MOST_FAILURES = 2;

/**
 * Ends this process when the engine is gone: killed, it tells nobody, and its provider would go on alone. The parent's
 * process id is no sign of it, since a shell stays in between.
 */
export function watchEngine(engine: Engine, end: () => void): void {
  let failures = 0;
  setInterval(() => {
    engine.log({ severity: "debug", message: "", isEphemeral: true }).then(
      () => {
        failures = 0;
      },
      (error: unknown) => {
        // Only gRPC tells of the engine; what fails before it does (a module that cannot be loaded) tells nothing.
        if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "number") return;
        failures += 1;
        if (failures >= MOST_FAILURES) end();
      },
    );
  }, WATCH_EVERY_MS).unref();
}
