import type { Props } from "../engine/plugin.ts";
import type { Kind } from "./process.ts";

export const PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJfcPTn8OWvZ0JvjTQ me@laptop";

/** Takes storage, and says no more than it must. */
export const CLUSTER: Props = { instanceType: "8xH200", numNodes: 2, publicKeys: [PUBLIC_KEY] };
export const VOLUME: Props = { sizeGb: 500 };
export const SSH_KEY: Props = { publicKey: PUBLIC_KEY };

/** The two kinds that are bought, with what tells them apart. */
export const BOUGHT: readonly {
  readonly kind: Extract<Kind, "cluster" | "storageVolume">;
  readonly args: Props;
  /** The beginning of its routes. */
  readonly at: string;
  readonly ready: string;
}[] = [
  { kind: "cluster", args: CLUSTER, at: "/cluster", ready: "RUNNING" },
  { kind: "storageVolume", args: VOLUME, at: "/storage", ready: "READY" },
];

/** A path without its ids. */
export function plainPath(request: string): string {
  return request.replace(/\/[cskr]-[0-9a-f]{8}/, "/{id}");
}
