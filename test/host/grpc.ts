import { createRequire } from "node:module";

/** gRPC and the protocol, as `@pulumi/pulumi` brings them along. */
const load: NodeJS.Require = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));

export const grpc: typeof import("@grpc/grpc-js") = load("@grpc/grpc-js");
export const engineService: typeof import("@pulumi/pulumi/proto/engine_grpc_pb.js") = load(
  "@pulumi/pulumi/proto/engine_grpc_pb.js",
);
export const providerService: typeof import("@pulumi/pulumi/proto/provider_grpc_pb.js") = load(
  "@pulumi/pulumi/proto/provider_grpc_pb.js",
);
export const providerMessages: typeof import("@pulumi/pulumi/proto/provider_pb.js") = load(
  "@pulumi/pulumi/proto/provider_pb.js",
);
export const statusMessages: typeof import("@pulumi/pulumi/proto/status_pb.js") = load(
  "@pulumi/pulumi/proto/status_pb.js",
);
const structs: typeof import("google-protobuf/google/protobuf/struct_pb.js") = load(
  "google-protobuf/google/protobuf/struct_pb.js",
);
const empties: typeof import("google-protobuf/google/protobuf/empty_pb.js") = load(
  "google-protobuf/google/protobuf/empty_pb.js",
);

export type Struct = InstanceType<typeof structs.Struct>;
export type Empty = InstanceType<typeof empties.Empty>;

export const empty = (): Empty => new empties.Empty();

export function toStruct(fields: object): Struct {
  // What comes out of JSON is what the function's type asks for.
  return structs.Struct.fromJavaScript(JSON.parse(JSON.stringify(fields)));
}

export function fromStruct(struct: Struct | undefined): Record<string, unknown> {
  // The engine keeps what it gets as JSON: NaN becomes null.
  return JSON.parse(JSON.stringify(struct?.toJavaScript() ?? {}));
}

/** The Node host of dynamic providers. */
export const HOST: string = load.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
