/** The TensorPool API in one process, for tests: see the README beside this file. */
export type { Clock } from "../../provider/wait/clock.ts";
export type { Belongs, Emulator } from "./emulator.ts";
export { FAULT_KINDS, type Fault, type FaultKind } from "./faults.ts";
export type { Billed, Ledger, RequestEntry } from "./ledger.ts";
export type { EmulatorOptions, KeyOptions, Owner } from "./options.ts";
export type { JobOptions } from "./routes/jobs.ts";
export { startEmulator } from "./start.ts";
