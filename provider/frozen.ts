/** The kinds of resources, by the names of the exports that serve them. Never renamed. */
export type KindName = "seed" | "sshKey" | "cluster" | "storageVolume" | "storageAttachment" | "bucket";

/**
 * The text that Pulumi keeps in the state with each resource and runs to read, update and destroy it, years later. So
 * it captures nothing, calls by name only, and never changes.
 */
export function providerText(kind: KindName): string {
  return `exports.handler=()=>require("pulumi-tensorpool/provider").${kind}`;
}

/** The type that state files know a kind of resource by. Never changed. */
export function typeToken(className: string): string {
  return `pulumi-nodejs:dynamic/tensorpool:${className}`;
}

/** What each stack calls its one Seed. Never changed. */
export const SEED_NAME = "tensorpool-seed";
