/**
 * Subject B: a dynamic provider as a competent user writes it by hand: `fetch`, and a loop that asks at once and then
 * every 5 s.
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

class ClusterProvider implements pulumi.dynamic.ResourceProvider<Inputs, Outputs> {
  async create(inputs: Inputs): Promise<pulumi.dynamic.CreateResult<Outputs>> {
    const { cluster_id: id, request_id } = await this.call("POST", "/cluster/create", {
      tp_cluster_name: inputs.name,
      instance_type: inputs.instanceType,
      num_nodes: inputs.numNodes ?? 1,
      public_keys: inputs.publicKeys,
    });
    await this.waitFor(request_id);
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
    const { request_id } = await this.call("DELETE", `/cluster/${id}`);
    await this.waitFor(request_id);
  }

  private async outputs(id: string, inputs: Inputs): Promise<Outputs> {
    const { cluster_info: cluster } = await this.call("GET", `/cluster/info/${id}`);
    return { ...inputs, name: cluster.name, status: cluster.status, instances: cluster.instances };
  }

  private async waitFor(requestId: string): Promise<void> {
    for (;;) {
      const request = await this.call("GET", `/request/info/${requestId}`);
      if (request.status === "COMPLETED") return;
      if (request.status === "FAILED") throw new Error(request.external_message);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    }
  }

  private async call(method: string, path: string, body?: object) {
    const engine = process.env["TENSORPOOL_ENGINE"] ?? "https://engine.tensorpool.dev";
    const response = await fetch(`${engine}${path}`, {
      method,
      headers: { authorization: `Bearer ${process.env["TENSORPOOL_KEY"]}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw Object.assign(new Error(`${method} ${path}: ${response.status} ${text}`), { status: response.status });
    }
    return JSON.parse(text);
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
