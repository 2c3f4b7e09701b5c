import * as pulumi from "@pulumi/pulumi";
import { Cluster, type InstanceType, StorageAttachment, StorageVolume } from "pulumi-tensorpool";

export interface TrainingClusterArgs {
  instanceType: InstanceType;
  nodes: number;
  sshKeyId: pulumi.Input<string>;
  /** Size in GB of the volume for data and checkpoints. */
  dataGb: number;
  /** The volume's name. @default one that only this stack has */
  dataName?: string;
}

/** A cluster and the volume that it works on: what every team's repository would otherwise write anew. */
export class TrainingCluster extends pulumi.ComponentResource {
  readonly clusterId: pulumi.Output<string>;
  readonly mountPath: pulumi.Output<string | undefined>;

  constructor(name: string, args: TrainingClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("example:TrainingCluster", name, {}, opts);
    const { instanceType, nodes: numNodes, sshKeyId, dataGb: sizeGb, dataName } = args;
    const cluster = new Cluster(`${name}-nodes`, { instanceType, numNodes, sshKeyId }, { parent: this });
    const data = new StorageVolume(
      `${name}-data`,
      { sizeGb, ...(dataName === undefined ? {} : { name: dataName }) },
      { parent: this },
    );
    const attachment = new StorageAttachment(
      `${name}-data-on-nodes`,
      { clusterId: cluster.id, storageId: data.id },
      { parent: this },
    );
    this.clusterId = cluster.id;
    // Whoever uses the path gets it when the volume is really there.
    this.mountPath = attachment.id.apply(() => data.mountPath);
    this.registerOutputs({ clusterId: this.clusterId, mountPath: this.mountPath });
  }
}
