import type { requestCallback, ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { type DiffAnswer, InitFailed, type Plugin } from "../engine/plugin.ts";
import { empty, fromStruct, grpc, providerMessages, statusMessages, toStruct } from "./grpc.ts";

const CHANGES: Readonly<Record<number, DiffAnswer["changes"]>> = { 0: "unknown", 1: "none", 2: "some" };

/** The calls of the engine to a plugin, over gRPC. */
export function hostPlugin(client: ResourceProviderClient, limitMs: number): Plugin {
  type Options = { deadline: number };
  const metadata = new grpc.Metadata();

  /** @throws InitFailed, or an Error with what the host has said */
  function call<T>(send: (options: Options, done: requestCallback<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      send({ deadline: Date.now() + limitMs }, (error, answer) => {
        if (error) reject(asEngineSees(error));
        else if (answer === undefined || answer === null) reject(new Error("Cannot use an empty answer of the host"));
        else resolve(answer);
      });
    });
  }

  return {
    async check(urn, olds, news) {
      const request = new providerMessages.CheckRequest();
      request.setUrn(urn);
      request.setOlds(toStruct(olds));
      request.setNews(toStruct(news));
      const answer = await call<InstanceType<typeof providerMessages.CheckResponse>>((options, done) =>
        client.check(request, metadata, options, done),
      );
      const failures = answer.getFailuresList().map((one) => ({
        property: one.getProperty(),
        reason: one.getReason(),
      }));
      return { inputs: fromStruct(answer.getInputs()), failures };
    },
    async diff(urn, id, olds, news) {
      const request = new providerMessages.DiffRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setOlds(toStruct(olds));
      request.setNews(toStruct(news));
      const answer = await call<InstanceType<typeof providerMessages.DiffResponse>>((options, done) =>
        client.diff(request, metadata, options, done),
      );
      return {
        changes: CHANGES[answer.getChanges()] ?? "unknown",
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
      };
    },
    async create(urn, inputs) {
      const request = new providerMessages.CreateRequest();
      request.setUrn(urn);
      request.setProperties(toStruct(inputs));
      const answer = await call<InstanceType<typeof providerMessages.CreateResponse>>((options, done) =>
        client.create(request, metadata, options, done),
      );
      return { id: answer.getId(), outputs: fromStruct(answer.getProperties()) };
    },
    async update(urn, id, olds, news) {
      const request = new providerMessages.UpdateRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setOlds(toStruct(olds));
      request.setNews(toStruct(news));
      const answer = await call<InstanceType<typeof providerMessages.UpdateResponse>>((options, done) =>
        client.update(request, metadata, options, done),
      );
      return fromStruct(answer.getProperties());
    },
    async read(urn, id, props) {
      const request = new providerMessages.ReadRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setProperties(toStruct(props));
      const answer = await call<InstanceType<typeof providerMessages.ReadResponse>>((options, done) =>
        client.read(request, metadata, options, done),
      );
      const inputs = answer.getInputs();
      return {
        id: answer.getId(),
        outputs: fromStruct(answer.getProperties()),
        inputs: inputs && fromStruct(inputs),
      };
    },
    async delete(urn, id, props) {
      const request = new providerMessages.DeleteRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setProperties(toStruct(props));
      await call<unknown>((options, done) => client.delete(request, metadata, options, done));
    },
    async cancel() {
      await call<unknown>((options, done) => client.cancel(empty(), metadata, options, done));
    },
  };
}

function asEngineSees(error: ServiceError): Error {
  const [packed] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (packed instanceof Buffer) {
    for (const one of statusMessages.Status.deserializeBinary(packed).getDetailsList()) {
      if (!one.getTypeUrl().endsWith("pulumirpc.ErrorResourceInitFailed")) continue;
      const detail = providerMessages.ErrorResourceInitFailed.deserializeBinary(one.getValue_asU8());
      return new InitFailed(error.details, detail.getId(), fromStruct(detail.getProperties()), detail.getReasonsList());
    }
  }
  return new Error(error.code === grpc.status.DEADLINE_EXCEEDED ? "nobody answered" : error.details, { cause: error });
}
