import type * as pulumi from "@pulumi/pulumi";
import { type Declaration, TensorPoolResource } from "./resource.ts";

/** Arguments of a {@link Bucket}. */
export interface BucketArgs {
  /** Unique in the organization; the API has rules of its own for it. A change replaces. @default a name that only this resource of this stack has */
  name?: pulumi.Input<string>;
  /** Name of an existing bucket to take over instead of creating one. Used at creation only. */
  adopt?: pulumi.Input<string>;
}

const declaration: Declaration = { kind: "bucket", className: "Bucket", outputs: ["name", "adopt"] };

/**
 * A bucket of the organization's object storage, which must be enabled once by hand: this package never does, because a
 * stack that could disable it again would take it from everybody. Destroyed only when it is empty.
 */
export class Bucket extends TensorPoolResource {
  /** Its name, which is its id too. */
  declare readonly name: pulumi.Output<string>;
  /** What the program has given as `adopt`. */
  declare readonly adopt: pulumi.Output<string | undefined>;

  /**
   * @throws TypeError when a custom timeout is malformed
   * @throws Error when the package cannot be resolved from the program's folder
   */
  constructor(name: string, args?: BucketArgs, opts?: pulumi.CustomResourceOptions) {
    // Without arguments and with an id it is only looked up.
    super(declaration, name, args ?? (opts?.id === undefined ? {} : undefined), opts);
  }

  /** Reads an existing bucket, by its name, that this stack does not manage. A missing one is an error. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Bucket {
    return new Bucket(name, undefined, { ...opts, id });
  }
}
