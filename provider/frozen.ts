/** The kinds of resources, by the names of the exports that serve them. Never renamed. */
export type KindName = "seed" | "sshKey" | "cluster" | "storageVolume" | "storageAttachment" | "bucket";

/**
 * The text that Pulumi keeps in the state with each resource and runs to read, update and destroy it, years later. So
 * it captures nothing, calls by name only, and never changes.
 */
export function providerText(kind: KindName): string {
  return `exports.handler=()=>require("pulumi-tensorpool/provider").${kind}`;
}
