import fc from "fast-check";
import type { Fields } from "../../provider/json.ts";
import { bucketResource } from "../../provider/operations/bucket.ts";
import { clusterKind } from "../../provider/operations/cluster.ts";
import { UNKNOWN } from "../../provider/operations/fields.ts";
import { objectResource, type Resource } from "../../provider/operations/resource.ts";
import { sshKeyResource } from "../../provider/operations/ssh-key.ts";
import { storageAttachmentResource } from "../../provider/operations/storage-attachment.ts";
import { storageVolumeKind } from "../../provider/operations/storage-volume.ts";

export const SEED = "0123456789ab";
export const urnOf = (kind: string, name = "train"): string =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tensorpool:${kind}::${name}`;

/** What the resource classes pass along with the arguments. */
export const hidden = (kind: string): Fields => ({ __provider: `text of ${kind}`, __seed: SEED, __urn: urnOf(kind) });

export const PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJfcPTn8OWvZ0JvjTQ me@laptop";

const optional = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(some, { nil: undefined });
const name = optional(fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/));
const id = (prefix: string): fc.Arbitrary<string> => fc.nat(99).map((number) => `${prefix}${number}`);

export interface Case {
  readonly className: string;
  readonly resource: Resource;
  /** Valid arguments, hidden ones included. */
  readonly valid: fc.Arbitrary<Fields>;
  readonly keys: readonly string[];
}

function caseOf(className: string, resource: Resource, args: Record<string, fc.Arbitrary<unknown>>): Case {
  const valid = fc.record(args).map((given) => {
    const set = Object.entries(given).filter(([, value]) => value !== undefined);
    return { ...Object.fromEntries(set), ...hidden(className) };
  });
  return { className, resource, valid, keys: Object.keys(args) };
}

export const CASES: readonly Case[] = [
  caseOf("Cluster", objectResource(clusterKind), {
    instanceType: fc.constantFrom("8xH100", "1xL40S", "32xCPU", "3xZ900"),
    sshKeyId: id("key-"),
    numNodes: optional(fc.integer({ min: 1, max: 64 })),
    publicKeys: optional(fc.array(fc.constantFrom(PUBLIC_KEY, `${PUBLIC_KEY}2`), { minLength: 1, maxLength: 3 })),
    name,
    container: optional(fc.constant("pytorch:latest")),
    deletionProtection: optional(fc.boolean()),
    saveKeys: optional(fc.boolean()),
  }),
  caseOf("StorageVolume", objectResource(storageVolumeKind), {
    sizeGb: fc.integer({ min: 1, max: 100_000 }),
    name,
    deletionProtection: optional(fc.boolean()),
  }),
  caseOf("SshKey", sshKeyResource, { publicKey: fc.constant(PUBLIC_KEY), name }),
  caseOf("Bucket", bucketResource, { name }),
  caseOf("StorageAttachment", storageAttachmentResource, { clusterId: id("c-"), storageId: id("s-") }),
];

/** A value that is unknown, itself or somewhere deep inside. */
export const unknownValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(UNKNOWN),
    fc
      .tuple(fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 2 }), tie("value"))
      .map(([all, one]) => [...all, one]),
    fc.tuple(fc.string(), tie("value")).map(([key, one]) => ({ [key]: one })),
  ),
})).value;
