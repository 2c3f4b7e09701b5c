import * as pulumi from "@pulumi/pulumi";
import type { Instance } from "./api/wire.ts";
import { declared } from "./cost/declared.ts";
import type { InstanceType } from "./operations/instance-types.ts";
import { type Declaration, TensorPoolResource } from "./resource.ts";

/** Arguments of a {@link Cluster}. */
export interface ClusterArgs {
  /**
   * How many of which accelerator each node has, such as `"8xH200"`. A type that this release does not know is sent with
   * a warning. A change replaces the cluster.
   */
  instanceType: pulumi.Input<InstanceType>;
  /** Nodes, 1 or more. More than one needs a type that allows it (`8xH200`, `8xB200`). A change replaces the cluster. @default 1 */
  numNodes?: pulumi.Input<number>;
  /** Id of a registered SSH key, such as `key.id` of an {@link SshKey}. This or `publicKeys` is needed. A change replaces the cluster. */
  sshKeyId?: pulumi.Input<string>;
  /** OpenSSH public keys, one line each. A change replaces the cluster. */
  publicKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /** 1 to 128 characters, unique in the account. Changed in place. @default a name that only this resource of this stack has */
  name?: pulumi.Input<string>;
  /** A container image that the API offers. A change replaces the cluster. @default none */
  container?: pulumi.Input<string>;
  /** The API refuses to destroy the cluster while this is on. Changed in place. @default false */
  deletionProtection?: pulumi.Input<boolean>;
  /**
   * Whether the API also adds `publicKeys` to the user's profile, from where every later cluster gets them. Used at
   * creation only. @default false, unlike the API's own true: a destroy would not take them out again
   */
  saveKeys?: pulumi.Input<boolean>;
  /**
   * How long a create waits for capacity when the API has none, such as `"2h"`, 1 minute or more: it tries again, with
   * pauses of 30 s to 2 min, and Ctrl-C ends it. Used at creation only. The time limit of the create (60 minutes) grows by
   * it; a `customTimeouts.create` of the program goes before it and must be longer. @default none: no capacity is an error
   */
  capacityTimeout?: pulumi.Input<string>;
  /** Id or name of an existing cluster to take over instead of creating one. Used at creation only. */
  adopt?: pulumi.Input<string>;
  /**
   * Most US dollars an hour that the cluster may cost: create asks the API for a quote, and refuses before anything is bought.
   * Where the API gives no quote, this is not enforced and a warning says so. @default no limit
   */
  maxHourlyUsd?: pulumi.Input<number>;
}

const declaration: Declaration = {
  kind: "cluster",
  className: "Cluster",
  outputs: [
    "instanceType",
    "numNodes",
    "sshKeyId",
    "publicKeys",
    "name",
    "container",
    "deletionProtection",
    "saveKeys",
    "capacityTimeout",
    "adopt",
    "maxHourlyUsd",
    "hourlyUsd",
    "status",
    "instances",
    "requestId",
    "createdAt",
  ],
};

/**
 * A cluster of GPU (or CPU) nodes. Billed from the accepted create until it is destroyed.
 *
 * Create, update and destroy return when the API says that they are through. One that is interrupted goes on at the next
 * `pulumi up`; a second cluster is never bought for it.
 */
export class Cluster extends TensorPoolResource {
  /** How many of which accelerator each node has. */
  declare readonly instanceType: pulumi.Output<string>;
  /** How many nodes it has. */
  declare readonly numNodes: pulumi.Output<number>;
  /** The registered key that its nodes got. */
  declare readonly sshKeyId: pulumi.Output<string | undefined>;
  /** The public keys that its nodes got beside it. */
  declare readonly publicKeys: pulumi.Output<string[] | undefined>;
  /** Its name at the API; one of its own where the program gives none. */
  declare readonly name: pulumi.Output<string>;
  /** The image that its nodes run; undefined for the API's own choice. */
  declare readonly container: pulumi.Output<string | undefined>;
  /** Whether the API refuses to destroy it. */
  declare readonly deletionProtection: pulumi.Output<boolean>;
  /** Whether its create has also put `publicKeys` into the profile. */
  declare readonly saveKeys: pulumi.Output<boolean>;
  /** How long its create waits for capacity. */
  declare readonly capacityTimeout: pulumi.Output<string | undefined>;
  /** What the program has given as `adopt`. */
  declare readonly adopt: pulumi.Output<string | undefined>;
  /** The limit that the program has set for the quote of its create. */
  declare readonly maxHourlyUsd: pulumi.Output<number | undefined>;
  /** US dollars an hour, as the API quoted it when the cluster was created; undefined where it does not tell. */
  declare readonly hourlyUsd: pulumi.Output<number | undefined>;
  /** What the API last said of the cluster, such as `"RUNNING"`; undefined where it does not tell. */
  declare readonly status: pulumi.Output<string | undefined>;
  /** The nodes with their addresses, as far as the API tells. */
  declare readonly instances: pulumi.Output<Instance[] | undefined>;
  /** The request that created the cluster, for questions to TensorPool's support. */
  declare readonly requestId: pulumi.Output<string | undefined>;
  /** When it was created, as the API writes it. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /**
   * @throws TypeError when a custom timeout is malformed
   * @throws Error when the package cannot be resolved from the program's folder
   */
  constructor(name: string, args: ClusterArgs, opts?: pulumi.CustomResourceOptions);
  /** Looks a cluster up; {@link Cluster.get} says it shorter. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: ClusterArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    super(declaration, name, args, opts);
    const { instanceType, numNodes, id } = this;
    const wish = () => pulumi.output({ instanceType, numNodes });
    if (args !== undefined) declared({ name, type: "Cluster", resource: this, wish, bought: () => id }, opts);
  }

  /** Reads an existing cluster that this stack does not manage. A missing one is an error. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Cluster {
    return new Cluster(name, undefined, { ...opts, id });
  }
}
