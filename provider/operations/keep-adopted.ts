import { type Fields, text } from "../json.ts";
import type { Diff } from "./diff.ts";
import { isUnknown } from "./fields.ts";

/**
 * A replacement destroys first, and what `adopt` then looks for is gone: refused while nothing is lost.
 * @param isWanted whether `news` is what the program says. If not, it is what the state says: for a refresh, which
 * replaces nothing; or, with unknown values for what comes from a resource that is replaced, for what goes with that one
 * @returns a warning where the program may have taken `adopt` out, which is not known yet
 * @throws Error when what adopt has taken over would be replaced for certain
 */
export function keepAdopted(
  noun: string,
  id: string,
  olds: Fields,
  news: Fields,
  { replaces }: Diff,
  isWanted: boolean,
): string | undefined {
  const adopted = text(news, "adopt");
  const keys = replaces.filter((key) => isUnknown(news[key]) !== isWanted);
  if (adopted === undefined || keys.length === 0) return undefined;
  if (![olds["adopt"], olds["name"], id].includes(adopted)) return undefined;
  if (!isWanted) {
    return `${noun} ${id} is replaced, because what its ${keys.join(", ")} comes from is. Take adopt out of the program if it is still there: once ${id} is destroyed, it would be looked for in vain`;
  }
  const why = keys.map((key) => (key === "status" ? `it is ${text(olds, key)}` : `${key} has changed`)).join(", ");
  throw new Error(
    `Cannot replace ${noun} ${id}: ${why}, and adopt: "${adopted}" would look for it in vain once it is destroyed. Nothing was changed. Take adopt out of the program to have it destroyed and a new one created, or undo the change`,
  );
}
