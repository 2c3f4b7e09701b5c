import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import {
  type Bucket,
  type BucketArgs,
  Cluster,
  type ClusterArgs,
  type ClusterRecord,
  getCluster,
  getClusterOutput,
  getClusters,
  getClustersOutput,
  getJobOutput,
  getObjectStorageCredentials,
  getObjectStorageCredentialsOutput,
  type Instance,
  type InstanceType,
  type SshKey,
  type SshKeyArgs,
  type StorageAttachment,
  type StorageAttachmentArgs,
  type StorageVolume,
  type StorageVolumeArgs,
} from "pulumi-tensorpool";
import { expectTypeOf, test } from "vitest";

// These hold or fail when the compiler reads them (`npm run lint`); at run time there is nothing to see.

/** The keys of T that an object may go without. */
type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>;

test("InstanceType takes any count, x and accelerator, and nothing else", () => {
  expectTypeOf<"8xH100">().toExtend<InstanceType>();
  expectTypeOf<"8xNEW1">().toExtend<InstanceType>();
  expectTypeOf<"H100">().not.toExtend<InstanceType>();
  expectTypeOf<"xH100">().not.toExtend<InstanceType>();
  expectTypeOf<"manyxH100">().not.toExtend<InstanceType>();
  expectTypeOf<string>().not.toExtend<InstanceType>();
});

test("ClusterArgs needs an instance type and no more", () => {
  expectTypeOf<RequiredKeys<ClusterArgs>>().toEqualTypeOf<"instanceType">();
  expectTypeOf<OptionalKeys<ClusterArgs>>().toEqualTypeOf<
    | "numNodes"
    | "sshKeyId"
    | "publicKeys"
    | "name"
    | "container"
    | "deletionProtection"
    | "saveKeys"
    | "capacityTimeout"
    | "adopt"
    | "maxHourlyUsd"
  >();
  expectTypeOf<ClusterArgs["publicKeys"]>().toEqualTypeOf<Input<Input<string>[]> | undefined>();
  expectTypeOf<Output<"8xH100">>().toExtend<ClusterArgs["instanceType"]>();
  expectTypeOf<{ instanceType: "8xH100"; numNodez: number }>().not.toEqualTypeOf<ClusterArgs>();
});

test("StorageVolumeArgs needs a size, StorageAttachmentArgs both ends, SshKeyArgs the key, BucketArgs nothing", () => {
  expectTypeOf<RequiredKeys<StorageVolumeArgs>>().toEqualTypeOf<"sizeGb">();
  expectTypeOf<OptionalKeys<StorageVolumeArgs>>().toEqualTypeOf<
    "name" | "deletionProtection" | "adopt" | "maxHourlyUsd"
  >();
  expectTypeOf<RequiredKeys<StorageAttachmentArgs>>().toEqualTypeOf<"clusterId" | "storageId">();
  expectTypeOf<OptionalKeys<StorageAttachmentArgs>>().toEqualTypeOf<"adopt">();
  expectTypeOf<RequiredKeys<SshKeyArgs>>().toEqualTypeOf<"publicKey">();
  expectTypeOf<OptionalKeys<SshKeyArgs>>().toEqualTypeOf<"name" | "adopt">();
  expectTypeOf<RequiredKeys<BucketArgs>>().toEqualTypeOf<never>();
  expectTypeOf<OptionalKeys<BucketArgs>>().toEqualTypeOf<"name" | "adopt">();
});

test("outputs are typed, those that the API may not tell as possibly undefined", () => {
  expectTypeOf<Cluster["id"]>().toEqualTypeOf<Output<string>>();
  expectTypeOf<Cluster["numNodes"]>().toEqualTypeOf<Output<number>>();
  expectTypeOf<Cluster["publicKeys"]>().toEqualTypeOf<Output<string[] | undefined>>();
  expectTypeOf<Cluster["instances"]>().toEqualTypeOf<Output<Instance[] | undefined>>();
  expectTypeOf<Cluster["status"]>().toEqualTypeOf<Output<string | undefined>>();
  expectTypeOf<Cluster["hourlyUsd"]>().toEqualTypeOf<Output<number | undefined>>();
  expectTypeOf<StorageVolume["sizeGb"]>().toEqualTypeOf<Output<number>>();
  expectTypeOf<StorageVolume["mountPath"]>().toEqualTypeOf<Output<string | undefined>>();
  expectTypeOf<StorageAttachment["requestId"]>().toEqualTypeOf<Output<string | undefined>>();
  expectTypeOf<SshKey["publicKey"]>().toEqualTypeOf<Output<string>>();
  expectTypeOf<Bucket["name"]>().toEqualTypeOf<Output<string>>();
  expectTypeOf<SshKey["id"]>().toExtend<ClusterArgs["sshKeyId"]>();
  expectTypeOf<Cluster["id"]>().toExtend<StorageAttachmentArgs["clusterId"]>();
});

test("functions take plain values and give promises; their Output forms take inputs at every depth and give outputs", () => {
  expectTypeOf(getCluster).returns.toEqualTypeOf<Promise<ClusterRecord>>();
  expectTypeOf(getClusters).returns.toEqualTypeOf<Promise<{ readonly clusters: ClusterRecord[] }>>();
  expectTypeOf(getObjectStorageCredentials)
    .returns.resolves.toHaveProperty("secretAccessKey")
    .toEqualTypeOf<Output<string>>();
  const calls = (
    text: Output<string>,
    late: Promise<string>,
    flag: Output<boolean>,
    job: Output<{ id: string }>,
  ): void => {
    expectTypeOf(getClusterOutput({ id: text })).toEqualTypeOf<Output<ClusterRecord>>();
    expectTypeOf(getClusterOutput({ name: late }).status).toEqualTypeOf<Output<string | undefined>>();
    expectTypeOf(getClustersOutput({ includeOrg: flag }).clusters[0]?.id).toEqualTypeOf<Output<string> | undefined>();
    expectTypeOf(getJobOutput(job).exitCode).toEqualTypeOf<Output<number | undefined>>();
    expectTypeOf(getObjectStorageCredentialsOutput().secretAccessKey).toEqualTypeOf<Output<string>>();
    // @ts-expect-error: an output in a plain form
    void getCluster({ id: text });
    // @ts-expect-error: neither id nor name
    getClusterOutput({});
    // @ts-expect-error: id and name
    getClusterOutput({ id: text, name: text });
  };
  expectTypeOf(calls).returns.toBeVoid();
});

test("Cluster() takes arguments and any options, or undefined arguments with an id", () => {
  type Parameters = ConstructorParameters<typeof Cluster>;
  expectTypeOf<Parameters>().toEqualTypeOf<
    [name: string, args: undefined, opts: CustomResourceOptions & { id: Input<string> }]
  >();
  const calls = (): void => {
    new Cluster("c", { instanceType: "8xNEW1" }, { protect: true });
    new Cluster("c", undefined, { id: "c-1" });
    // @ts-expect-error: an accelerator alone is no instance type
    new Cluster("c", { instanceType: "H100" });
    // @ts-expect-error: a typo in an argument's name
    new Cluster("c", { instanceType: "8xH100", numNodez: 2 });
    // @ts-expect-error: no arguments, and no id to look up
    new Cluster("c", undefined, {});
    // @ts-expect-error: a number as text
    new Cluster("c", { instanceType: "8xH100", numNodes: "2" });
  };
  expectTypeOf(calls).returns.toBeVoid();
});
