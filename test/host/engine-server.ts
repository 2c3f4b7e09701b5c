import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import { type Empty, empty, engineService, grpc } from "./grpc.ts";

export interface Line {
  readonly severity: number;
  readonly message: string;
  readonly urn: string;
  readonly isEphemeral: boolean;
}

export interface EngineServer {
  readonly address: string;
  /** All that the plugin has said. */
  readonly lines: Line[];
  /** Vanishes, as an engine that is killed. */
  close(): void;
}

/** The engine's side that a plugin calls: it only listens. */
export async function startEngineServer(): Promise<EngineServer> {
  const lines: Line[] = [];
  const server = new grpc.Server();
  server.addService(engineService.EngineService, {
    log({ request }: ServerUnaryCall<LogRequest, Empty>, callback: sendUnaryData<Empty>) {
      lines.push({
        severity: request.getSeverity(),
        message: request.getMessage(),
        urn: request.getUrn(),
        isEphemeral: request.getEphemeral(),
      });
      callback(null, empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, lines, close: () => server.forceShutdown() };
}
