import * as pulumi from "@pulumi/pulumi";

/** Whose account a {@link Provider} stands for, and where. */
export interface ProviderArgs {
  /** The API key; kept encrypted in the state, because the engine needs it to destroy. Give this or `apiKeyEnv`. */
  apiKey?: pulumi.Input<string>;
  /** The name of an environment variable that holds the key, read at each call: nothing secret lies in the state. */
  apiKeyEnv?: pulumi.Input<string>;
  /** Address of the API. @default env TENSORPOOL_ENGINE, else the public one */
  engine?: pulumi.Input<string>;
}

/**
 * An account of its own: pass it as `provider` to the resources that belong to it. Its key goes before the environment
 * and the stack's config. Each one is a process of its own; changing its key replaces nothing.
 */
export class Provider extends pulumi.ProviderResource {
  /** @throws TypeError when neither or both of `apiKey` and `apiKeyEnv` are given */
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const { apiKey, apiKeyEnv, engine } = args;
    if ((apiKey === undefined) === (apiKeyEnv === undefined)) {
      throw new TypeError(`Cannot make Provider "${name}": give either apiKey or apiKeyEnv, and not both`);
    }
    const config = {
      // Tells these settings from the stack's own config, which arrives in the same shape.
      "tensorpool:explicit": "true",
      "tensorpool:apiKey": apiKey === undefined ? undefined : pulumi.secret(apiKey),
      "tensorpool:apiKeyEnv": apiKeyEnv,
      "tensorpool:engine": engine,
    };
    super("pulumi-nodejs", name, config, opts);
  }
}
