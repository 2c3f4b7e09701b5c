import { type Fields, text } from "../json.ts";
import type { Diff } from "./diff.ts";
import { isUnknown } from "./fields.ts";

/**
 * A replacement destroys first, and what `adopt` then looks for is gone: refused while nothing is lost.
 * @param isWanted whether `news` is what the program says. If not, it is what the state says: for a refresh, which
 * replaces nothing; or, with unknown values for what comes from a resource that is replaced, for what goes with that one
 * @throws Error when what adopt has taken over would be replaced for certain
 */
export function keepAdopted(
  noun: string,
  id: string,
  olds: Fields,
  news: Fields,
  { replaces }: Diff,
  isWanted: boolean,
): void {
  const adopted = text(news, "adopt");
  const certain = replaces.filter((key) => isUnknown(news[key]) !== isWanted);
  if (adopted === undefined || certain.length === 0) return;
  if (![olds["adopt"], olds["name"], id].includes(adopted)) return;
  const why = certain.map((key) => {
    if (!isWanted) return `what its ${key} comes from is replaced`;
    return key === "status" ? `it is ${text(olds, key)}` : `${key} has changed`;
  });
  const next = isWanted
    ? "Take adopt out of the program to have it destroyed and a new one created, or undo the change"
    : "Undo the change, take adopt out of the program and run pulumi up, which changes nothing; then make the change";
  throw new Error(
    `Cannot replace ${noun} ${id}: ${why.join(", ")}, and adopt: "${adopted}" would look for it in vain once it is destroyed. Nothing was changed. ${next}`,
  );
}
