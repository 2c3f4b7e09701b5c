import { createHash } from "node:crypto";

const LONGEST_LOGICAL_NAME = 20;

/**
 * The name that proves an object to be one resource's own: made of the stack's seed, which lies in its state before
 * anything is bought, and of the resource's URN. Arguments have no part in it, so an edit after a crash still finds
 * what the crashed run has bought.
 * @param side what tells a replacement from the object beside it; empty where the old one is deleted first
 */
export function ownName(seed: string, urn: string, side = ""): string {
  const logical = (urn.split("::").at(-1) ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const cleaned = logical.slice(0, LONGEST_LOGICAL_NAME).replace(/^-+|-+$/g, "") || "tensorpool";
  const hash = createHash("sha256")
    .update(JSON.stringify([seed, urn, side]))
    .digest("hex");
  return `${cleaned}-${hash.slice(0, 8)}`;
}
