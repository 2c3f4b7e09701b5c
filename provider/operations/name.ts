import { createHash } from "node:crypto";

const LONGEST_LOGICAL_NAME = 20;

/**
 * The name that proves an object to be one resource's own: made of the stack's seed, which lies in its state before
 * anything is bought, and of the resource's URN. Arguments have no part in it, so an edit after a crash still finds
 * what the crashed run has bought. Its end begins with the seed's own mark, by which a stack knows all that it has named.
 * @param side what tells a replacement from the object beside it; empty where the old one is deleted first
 */
export function ownName(seed: string, urn: string, side = ""): string {
  const logical = (urn.split("::").at(-1) ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const cleaned = logical.slice(0, LONGEST_LOGICAL_NAME).replace(/^-+|-+$/g, "") || "tensorpool";
  return `${cleaned}-${markOf(seed)}${hash([seed, urn, side]).slice(0, 8)}`;
}

/** Whether `name` was made with this seed. */
export function isMadeWith(seed: string, name: string): boolean {
  return new RegExp(`-${markOf(seed)}[0-9a-f]{8}$`).test(name);
}

/** Six digits: among ten thousand objects of other stacks there is hardly one with the same. */
function markOf(seed: string): string {
  return hash([seed]).slice(0, 6);
}

function hash(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
