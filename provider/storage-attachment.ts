import type * as pulumi from "@pulumi/pulumi";
import { type Declaration, TensorPoolResource } from "./resource.ts";

/** Arguments of a {@link StorageAttachment}. */
export interface StorageAttachmentArgs {
  /** Id of a multi-node GPU cluster or a CPU cluster. A change attaches anew. */
  clusterId: pulumi.Input<string>;
  /** Id of the volume. A change attaches anew. */
  storageId: pulumi.Input<string>;
  /** `<cluster id>/<volume id>` of an existing attachment to take over instead of attaching. Used at creation only. */
  adopt?: pulumi.Input<string>;
}

const declaration: Declaration = {
  kind: "storageAttachment",
  className: "StorageAttachment",
  outputs: ["clusterId", "storageId", "adopt", "requestId"],
};

/**
 * A volume attached to a cluster. Attaching and detaching restart all nodes of the cluster. Its id is
 * `<cluster id>/<volume id>`.
 */
export class StorageAttachment extends TensorPoolResource {
  /** The cluster, such as `c-…`. */
  declare readonly clusterId: pulumi.Output<string>;
  /** The volume, such as `s-…`. */
  declare readonly storageId: pulumi.Output<string>;
  /** What the program has given as `adopt`. */
  declare readonly adopt: pulumi.Output<string | undefined>;
  /** The request that attached it, for questions to TensorPool's support. */
  declare readonly requestId: pulumi.Output<string | undefined>;

  /**
   * @throws TypeError when a custom timeout is malformed
   * @throws Error when the package cannot be resolved from the program's folder
   */
  constructor(name: string, args: StorageAttachmentArgs, opts?: pulumi.CustomResourceOptions);
  /** Looks an attachment up; {@link StorageAttachment.get} says it shorter. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: StorageAttachmentArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    super(declaration, name, args, opts);
  }

  /** Reads an existing attachment, by `<cluster id>/<volume id>`, that this stack does not manage. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): StorageAttachment {
    return new StorageAttachment(name, undefined, { ...opts, id });
  }
}
