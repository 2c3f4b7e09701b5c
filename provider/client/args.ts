/** A cluster to be created. */
export interface NewCluster {
  /** A count, "x" and an accelerator, such as `8xH200`. */
  readonly instanceType: string;
  /** @default 1 */
  readonly numNodes?: number;
  /** The id of a registered SSH key. At least one of `sshKeyId` and `publicKeys` is needed. */
  readonly sshKeyId?: string;
  /** OpenSSH public keys. */
  readonly publicKeys?: readonly string[];
  /** Unique in the account. @default a name of its own */
  readonly name?: string;
  /** An image that the API offers. */
  readonly container?: string;
  /** @default false */
  readonly deletionProtection?: boolean;
  /** Whether to add `publicKeys` to your profile. @default false */
  readonly saveKeys?: boolean;
  /** How long to wait for capacity, such as `"2h"`, 1 minute or more; the default of `timeoutMs` grows by it. @default none */
  readonly capacityTimeout?: string;
}

/** What can be changed of a cluster in place. */
export interface ClusterChanges {
  readonly name?: string;
  readonly deletionProtection?: boolean;
}

/** A storage volume to be created. */
export interface NewStorage {
  /** A whole number of GB, 1 or more. */
  readonly sizeGb: number;
  /** Unique in the account. @default a name of its own */
  readonly name?: string;
  /** @default false */
  readonly deletionProtection?: boolean;
}

/** What can be changed of a storage volume in place. */
export interface StorageChanges {
  /** Only to grow: the API cannot shrink a volume. */
  readonly sizeGb?: number;
  readonly name?: string;
  readonly deletionProtection?: boolean;
}

/** The two ends of an attachment, by id. */
export interface AttachmentEnds {
  readonly clusterId: string;
  readonly storageId: string;
}

/** An SSH key to be registered. */
export interface NewSshKey {
  /** In OpenSSH form, on one line. */
  readonly publicKey: string;
  /** @default the API's: your email address */
  readonly name?: string;
}
