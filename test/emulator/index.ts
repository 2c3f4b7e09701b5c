export type { Belongs, Emulator } from "./emulator.ts";
export { FAULT_KINDS, type Fault, type FaultKind } from "./faults.ts";
export type { Billed, Ledger, RequestEntry } from "./ledger.ts";
export type { EmulatorOptions, KeyOptions, Owner } from "./options.ts";
export { startEmulator } from "./start.ts";
