/**
 * The subpath `pulumi-tensorpool/provider`: what the text in every state file loads. Its export names are a contract
 * with all state files there are, and nothing that it imports may use top-level `await`, or `require` would fail.
 */
import { type AllHooks, type Hooks, hooksOf } from "./all.ts";
import { processHost } from "./host.ts";

const hooks: AllHooks = hooksOf(processHost());

export const seed: Hooks = hooks.seed;
export const sshKey: Hooks = hooks.sshKey;
export const cluster: Hooks = hooks.cluster;
export const storageVolume: Hooks = hooks.storageVolume;
export const storageAttachment: Hooks = hooks.storageAttachment;
export const bucket: Hooks = hooks.bucket;
