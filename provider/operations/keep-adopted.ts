import { type Fields, text } from "../json.ts";
import type { Diff } from "./diff.ts";
import { isUnknown } from "./fields.ts";

/**
 * A replacement destroys first, and what `adopt` then looks for is gone: refused while nothing is lost.
 * @throws Error when a change that is known replaces what adopt has taken over
 */
export function keepAdopted(noun: string, id: string, olds: Fields, news: Fields, { replaces }: Diff): void {
  const adopted = text(news, "adopt");
  const certain = replaces.filter((key) => !isUnknown(news[key]));
  if (adopted === undefined || adopted !== olds["adopt"] || certain.length === 0) return;
  const why = certain.map((key) => (key === "status" ? `it is ${text(olds, key)}` : `${key} has changed`)).join(", ");
  throw new Error(
    `Cannot replace ${noun} ${id}: ${why}, and adopt: "${adopted}" would look for it in vain once it is destroyed. Nothing was changed. Take adopt out of the program to have it destroyed and a new one created, or undo the change`,
  );
}
