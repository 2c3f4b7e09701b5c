import { type Random, seededRandom } from "../emulator/random.ts";

/** Chance that repeats: the same seed throws the same numbers. */
export interface Dice {
  readonly random: Random;
  chance(probability: number): boolean;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
}

export function createDice(seed: number): Dice {
  const random = seededRandom(seed);
  const whole = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  return {
    random,
    whole,
    chance: (probability) => random() < probability,
    pick(from) {
      const one = from[whole(0, from.length - 1)];
      if (one === undefined) throw new RangeError("Cannot pick from an empty list");
      return one;
    },
  };
}

/** Seeds of their own for the parts of a run, so that a change of one part does not shift the others. */
export function seedOf(seed: number, run: number, part: string): number {
  let mixed = 0x811c9dc5;
  for (const letter of `${seed}/${run}/${part}`) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193);
  return mixed >>> 0;
}
