import type { Dice } from "./dice.ts";
import type { ServerOptions } from "./server.ts";

/** A server of one of the kinds that there may be: what is not documented is taken either way. */
export function randomSettings(dice: Dice): ServerOptions {
  return {
    operationSeconds: dice.pick([2, 10, 40, 150]),
    retryAfterSeconds: dice.pick([null, 1, 5, 20]),
    retryAfterFormat: dice.pick(["seconds", "seconds", "http-date"]),
    clockSkewSeconds: dice.pick([0, 0, -900, 4_000]),
    goneAs: dice.pick(["404", "record"]),
    strictSpec: dice.chance(0.2),
    hasUniqueNames: dice.chance(0.4),
    omit: dice.pick([
      [],
      [],
      [],
      ["cluster_id", "storage_id"],
      ["object_id"],
      ["cluster_id", "storage_id", "object_id"],
    ]),
    ...(dice.chance(0.15) && { rateLimit: { perSecond: dice.pick([1, 5]), burst: dice.pick([2, 10]) } }),
  };
}
