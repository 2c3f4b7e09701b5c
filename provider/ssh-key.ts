import type * as pulumi from "@pulumi/pulumi";
import { type Declaration, TensorPoolResource } from "./resource.ts";

/** Arguments of an {@link SshKey}. */
export interface SshKeyArgs {
  /** An OpenSSH public key on one line. A change registers anew. */
  publicKey: pulumi.Input<string>;
  /** 1 to 128 characters. A change registers anew. @default a name that only this resource of this stack has */
  name?: pulumi.Input<string>;
  /** Id or name of a registered key to take over instead of registering one. Used at creation only. */
  adopt?: pulumi.Input<string>;
}

const declaration: Declaration = {
  kind: "sshKey",
  className: "SshKey",
  outputs: ["publicKey", "name", "adopt"],
};

/** A registered SSH public key. The API also puts every registered key on each cluster made later. Costs nothing. */
export class SshKey extends TensorPoolResource {
  /** The key as it is registered. */
  declare readonly publicKey: pulumi.Output<string>;
  /** Its name at the API; one of its own where the program gives none. */
  declare readonly name: pulumi.Output<string>;
  /** What the program has given as `adopt`. */
  declare readonly adopt: pulumi.Output<string | undefined>;

  /**
   * @throws TypeError when a custom timeout is malformed
   * @throws Error when the package cannot be resolved from the program's folder
   */
  constructor(name: string, args: SshKeyArgs, opts?: pulumi.CustomResourceOptions);
  /** Looks a key up; {@link SshKey.get} says it shorter. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: SshKeyArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    super(declaration, name, args, opts);
  }

  /** Reads a registered key that this stack does not manage. A missing one is an error. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): SshKey {
    return new SshKey(name, undefined, { ...opts, id });
  }
}
