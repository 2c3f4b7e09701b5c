import * as pulumi from "@pulumi/pulumi";
import type { FunctionOptions } from "./types.ts";

/** Stands for no resource: it only tells which provider a parent hands on to those of this package. */
const ANY_RESOURCE = "pulumi-nodejs:dynamic/tensorpool:Any";
const KEYS = ["tensorpool:explicit", "tensorpool:apiKey", "tensorpool:apiKeyEnv", "tensorpool:engine"];

/** The stack's config, or that of a Provider. */
export interface Config {
  get(key: string): string | undefined;
}

/** Where the key and the address of the account in question are to be found. */
export function configOf({ provider, parent }: FunctionOptions): pulumi.Output<Config> {
  const explicit = provider ?? parent?.getProvider(ANY_RESOURCE);
  const own: Record<string, pulumi.Input<string | undefined>> = Object.fromEntries(
    explicit === undefined ? [] : KEYS.map((key) => [key, Reflect.get(explicit, key)]),
  );
  // That a key went with the question makes no secret of the answer.
  return pulumi.unsecret(pulumi.output(own)).apply((values) => ({
    get: (key: string) => (explicit ? values[key] : pulumi.runtime.getConfig(key)),
  }));
}

/** The ids of all resources that have a part in a value: not known before all of them exist. */
export function idsBehind(value: pulumi.Output<unknown>): pulumi.Output<string[]> {
  const ids = pulumi
    .getAllResources(value)
    .then((all) => [...all].flatMap((one) => (pulumi.CustomResource.isInstance(one) ? [one.id] : [])));
  return pulumi.output(ids);
}

/**
 * The value of an output.
 * @param name of the function that needs it
 * @throws pulumi.RunError when it is not known in this preview
 */
export async function valueOf<T>(output: pulumi.Output<T>, name: string): Promise<T> {
  if (!(await isKnown(output))) {
    throw new pulumi.RunError(
      `Cannot call ${name}: the settings of its Provider are not known in this preview. Call ${name}Output, whose result is unknown then`,
    );
  }
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}

/** Every output tells this, in every release of Pulumi, although it is not declared to. */
export function isKnown(output: object): Promise<boolean> {
  return Reflect.get(output, "isKnown");
}
