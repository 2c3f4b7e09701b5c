/**
 * Subject C: the hand-written provider of subject B with p-retry around each call. It respects Retry-After: between two
 * questions, and after a 429 or 503.
 */
import * as pulumi from "@pulumi/pulumi";

interface Inputs {
  readonly name: string;
  readonly instanceType: string;
  readonly numNodes?: number;
  readonly publicKeys: string[];
}

interface Outputs extends Inputs {
  readonly status: string;
  readonly instances: readonly { readonly id: string; readonly ip_address: string | null }[];
}

const RETRIES = 10;
const DEFAULT_WAIT_MS = 5_000;

class ClusterProvider implements pulumi.dynamic.ResourceProvider<Inputs, Outputs> {
  async create(inputs: Inputs): Promise<pulumi.dynamic.CreateResult<Outputs>> {
    const accepted = await this.call("POST", "/cluster/create", {
      tp_cluster_name: inputs.name,
      instance_type: inputs.instanceType,
      num_nodes: inputs.numNodes ?? 1,
      public_keys: inputs.publicKeys,
    });
    await this.waitFor(accepted.body.request_id, accepted.retryAfterMs);
    const id = accepted.body.cluster_id;
    return { id, outs: await this.outputs(id, inputs) };
  }

  async read(id: string, props?: Outputs): Promise<pulumi.dynamic.ReadResult<Outputs>> {
    if (props === undefined) return { id };
    try {
      return { id, props: await this.outputs(id, props) };
    } catch (error) {
      if (error instanceof Error && "status" in error && error.status === 404) return {};
      throw error;
    }
  }

  async diff(_id: string, olds: Outputs, news: Inputs): Promise<pulumi.dynamic.DiffResult> {
    const replaces = [];
    if (olds.name !== news.name) replaces.push("name");
    if (olds.instanceType !== news.instanceType) replaces.push("instanceType");
    if ((olds.numNodes ?? 1) !== (news.numNodes ?? 1)) replaces.push("numNodes");
    if (olds.publicKeys.join() !== news.publicKeys.join()) replaces.push("publicKeys");
    return { changes: replaces.length > 0, replaces, deleteBeforeReplace: true };
  }

  async delete(id: string): Promise<void> {
    const accepted = await this.call("DELETE", `/cluster/${id}`);
    await this.waitFor(accepted.body.request_id, accepted.retryAfterMs);
  }

  private async outputs(id: string, inputs: Inputs): Promise<Outputs> {
    const { body } = await this.call("GET", `/cluster/info/${id}`);
    const cluster = body.cluster_info;
    return { ...inputs, name: cluster.name, status: cluster.status, instances: cluster.instances };
  }

  private async waitFor(requestId: string, firstWaitMs: number | undefined): Promise<void> {
    for (let waitMs = firstWaitMs; ; ) {
      await new Promise((resolve) => setTimeout(resolve, waitMs ?? DEFAULT_WAIT_MS));
      const { body, retryAfterMs } = await this.call("GET", `/request/info/${requestId}`);
      if (body.status === "COMPLETED") return;
      if (body.status === "FAILED") throw new Error(body.external_message);
      waitMs = retryAfterMs;
    }
  }

  private async call(method: string, path: string, body?: object) {
    const { default: pRetry } = await import("p-retry");
    return pRetry(async () => this.send(method, path, body), {
      retries: RETRIES,
      // A network error on a POST may come after the server has acted: sending it again could buy a second cluster.
      shouldRetry: ({ error }) =>
        "status" in error ? error.status === 429 || error.status === 503 : method !== "POST",
      onFailedAttempt: ({ error }) =>
        new Promise((resolve) =>
          setTimeout(
            resolve,
            "retryAfterMs" in error && typeof error.retryAfterMs === "number" ? error.retryAfterMs : 0,
          ),
        ),
    });
  }

  private async send(method: string, path: string, body?: object) {
    const engine = process.env["TENSORPOOL_ENGINE"] ?? "https://engine.tensorpool.dev";
    const response = await fetch(`${engine}${path}`, {
      method,
      headers: { authorization: `Bearer ${process.env["TENSORPOOL_KEY"]}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const header = response.headers.get("retry-after");
    const retryAfterMs = header === null ? undefined : Number(header) * 1_000;
    if (!response.ok) {
      const error = new Error(`${method} ${path}: ${response.status} ${text}`);
      throw Object.assign(error, { status: response.status, retryAfterMs });
    }
    return { body: JSON.parse(text), retryAfterMs };
  }
}

export const provider: ClusterProvider = new ClusterProvider();

export interface ClusterArgs {
  name: pulumi.Input<string>;
  instanceType: pulumi.Input<string>;
  numNodes?: pulumi.Input<number>;
  publicKeys: pulumi.Input<pulumi.Input<string>[]>;
}

export class Cluster extends pulumi.dynamic.Resource {
  declare readonly status: pulumi.Output<string>;
  declare readonly instances: pulumi.Output<Outputs["instances"]>;

  constructor(name: string, args: ClusterArgs, opts?: pulumi.CustomResourceOptions) {
    super(provider, name, { ...args, status: undefined, instances: undefined }, opts, "bench", "Cluster");
  }
}
