import * as pulumi from "@pulumi/pulumi";
import { Cluster, type InstanceType, SshKey, StorageAttachment, StorageVolume } from "pulumi-tensorpool";

export interface TrainingPlatformArgs {
  instanceType: InstanceType;
  /** @default 1 */
  nodes?: number;
  /** OpenSSH public key of those who operate the cluster; it is registered with the API. A change replaces the cluster. */
  operatorKey: pulumi.Input<string>;
  /** Further public keys for the nodes. Who comes later gets on the next cluster: no running one is replaced for it. */
  team?: string[];
  /** Sizes in GB of the volumes that are attached to the cluster, by name. @default none */
  volumes?: Record<string, number>;
  /** Most US dollars an hour that the cluster may cost: above it nothing is bought. @default no limit */
  maxHourlyUsd?: number;
  /** Whether nothing of it may be destroyed or replaced, by Pulumi or by anybody at the API. @default false */
  production?: boolean;
}

/** A cluster with its volumes and keys: what every team's stack would otherwise write anew. */
export class TrainingPlatform extends pulumi.ComponentResource {
  readonly clusterId: pulumi.Output<string>;
  /** The public address of each node that has one. */
  readonly addresses: pulumi.Output<string[]>;
  /** Where the nodes see the volumes, by name. */
  readonly mountPaths: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: TrainingPlatformArgs, opts?: pulumi.ComponentResourceOptions) {
    super("example:TrainingPlatform", name, {}, opts);
    const { instanceType, nodes: numNodes = 1, operatorKey, team = [], volumes = {} } = args;
    const { maxHourlyUsd, production = false } = args;
    // All of it: a destroy that is refused for the cluster alone would have detached its volumes by then.
    const options = { parent: this, protect: production };
    const key = new SshKey(`${name}-operator`, { publicKey: operatorKey }, options);
    const cluster = new Cluster(
      `${name}-nodes`,
      {
        instanceType,
        numNodes,
        sshKeyId: key.id,
        deletionProtection: production,
        ...(team.length > 0 && { publicKeys: team }),
        ...(maxHourlyUsd !== undefined && { maxHourlyUsd }),
      },
      { ...options, ignoreChanges: ["publicKeys"] },
    );
    const mounts = Object.entries(volumes).map(([volumeName, sizeGb]) => {
      const volume = new StorageVolume(`${name}-${volumeName}`, { sizeGb, deletionProtection: production }, options);
      const attachment = new StorageAttachment(
        `${name}-${volumeName}-on-nodes`,
        { clusterId: cluster.id, storageId: volume.id },
        options,
      );
      // Whoever uses the path gets it when the volume is really there.
      return [volumeName, attachment.id.apply(() => volume.mountPath)] as const;
    });
    this.clusterId = cluster.id;
    this.addresses = cluster.instances.apply((all = []) => all.flatMap(({ ipAddress }) => ipAddress ?? []));
    this.mountPaths = pulumi.output(Object.fromEntries(mounts));
    this.registerOutputs({
      clusterId: this.clusterId,
      addresses: this.addresses,
      mountPaths: this.mountPaths,
    });
  }
}
