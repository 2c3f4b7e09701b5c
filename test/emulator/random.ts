/** A number from 0 up to 1. */
export type Random = () => number;

/** The same seed gives the same numbers on every machine (mulberry32, public domain). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
}

export type Ids = (prefix: "c" | "s" | "i" | "k" | "j" | "r") => string;

/** Ids that look like the vendor's, such as `c-1f09ab3e`, and that never come twice. */
export function createIds(random: Random): Ids {
  const used = new Set<string>();
  return (prefix) => {
    let id = `${prefix}-${hex(random, 8)}`;
    while (used.has(id)) id = `${prefix}-${hex(random, 8)}`;
    used.add(id);
    return id;
  };
}
