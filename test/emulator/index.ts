/**
 * The API in one process, for tests.
 * @module pulumi-tensorpool/emulator
 */

export type { Belongs, Emulator } from "./emulator.ts";
export { FAULT_KINDS, type Fault, type FaultKind } from "./faults.ts";
export type { GeneratedFile } from "./generated.ts";
export type { Billed, Ledger, RequestEntry } from "./ledger.ts";
export type { EmulatorOptions, KeyOptions, Owner } from "./options.ts";
export type { JobOptions } from "./routes/jobs.ts";
export type { BucketWish } from "./routes/object-storage.ts";
export { startEmulator } from "./start.ts";
export type { ClusterRecord, InstanceRecord, SshKeyRecord, VolumeRecord } from "./world.ts";
