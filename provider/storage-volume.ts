import * as pulumi from "@pulumi/pulumi";
import { declared } from "./cost/declared.ts";
import { type Declaration, TensorPoolResource } from "./resource.ts";

/** Arguments of a {@link StorageVolume}. */
export interface StorageVolumeArgs {
  /** Size in GB, a whole number, 1 or more. Grows in place; it can never shrink. */
  sizeGb: pulumi.Input<number>;
  /** 1 to 128 characters, unique in the account. Changed in place. @default a name that only this resource of this stack has */
  name?: pulumi.Input<string>;
  /** The API refuses to destroy the volume while this is on. Changed in place. @default false */
  deletionProtection?: pulumi.Input<boolean>;
  /** Id or name of an existing volume to take over instead of creating one. Used at creation only. */
  adopt?: pulumi.Input<string>;
  /**
   * Most US dollars an hour that the volume may cost: create asks the API for a quote, and refuses before anything is bought.
   * Where the API gives no quote, this is not enforced and a warning says so. @default no limit
   */
  maxHourlyUsd?: pulumi.Input<number>;
}

const declaration: Declaration = {
  kind: "storageVolume",
  className: "StorageVolume",
  outputs: [
    "sizeGb",
    "name",
    "deletionProtection",
    "adopt",
    "maxHourlyUsd",
    "hourlyUsd",
    "mountPath",
    "status",
    "requestId",
    "createdAt",
  ],
};

/** A volume that outlives clusters and is attached to them. Billed from the accepted create until it is destroyed. */
export class StorageVolume extends TensorPoolResource {
  /** Its size in GB. */
  declare readonly sizeGb: pulumi.Output<number>;
  /** Its name at the API; one of its own where the program gives none. */
  declare readonly name: pulumi.Output<string>;
  /** Whether the API refuses to destroy it. */
  declare readonly deletionProtection: pulumi.Output<boolean>;
  /** What the program has given as `adopt`. */
  declare readonly adopt: pulumi.Output<string | undefined>;
  /** The limit that the program has set for the quotes of its create and growth. */
  declare readonly maxHourlyUsd: pulumi.Output<number | undefined>;
  /** US dollars an hour, as the API quoted it when the volume was created or last resized; undefined where it does not tell. */
  declare readonly hourlyUsd: pulumi.Output<number | undefined>;
  /** Where an attached cluster sees it, such as `/mnt/s-1`. */
  declare readonly mountPath: pulumi.Output<string | undefined>;
  /** What the API last said of the volume, such as `"READY"`; undefined where it does not tell. */
  declare readonly status: pulumi.Output<string | undefined>;
  /** The request that created the volume, for questions to TensorPool's support. */
  declare readonly requestId: pulumi.Output<string | undefined>;
  /** When it was created, as the API writes it. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /**
   * @throws TypeError when a custom timeout is malformed
   * @throws Error when the package cannot be resolved from the program's folder
   */
  constructor(name: string, args: StorageVolumeArgs, opts?: pulumi.CustomResourceOptions);
  /** Looks a volume up; {@link StorageVolume.get} says it shorter. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: StorageVolumeArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    super(declaration, name, args, opts);
    const { sizeGb, hourlyUsd } = this;
    const wish = () => pulumi.output({ sizeGb });
    // One that grows keeps its id.
    const bought = () => hourlyUsd;
    if (args !== undefined) declared({ name, type: "StorageVolume", resource: this, wish, bought }, opts);
  }

  /** Reads an existing volume that this stack does not manage. A missing one is an error. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): StorageVolume {
    return new StorageVolume(name, undefined, { ...opts, id });
  }
}
