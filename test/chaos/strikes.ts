import type { Dice } from "./dice.ts";
import type { Stage } from "./stage.ts";

/** What ends a command early. `orphan`: the CLI is killed, and its provider process lives on for a while. */
export const STRIKES = ["kill both", "orphan", "kill provider", "cancel"] as const;
export type StrikeKind = (typeof STRIKES)[number];

export interface Strike {
  readonly kind: StrikeKind;
  readonly when:
    | { readonly afterMs: number }
    | { readonly request: number; readonly phase: "arrived" | "acted"; readonly isChange: boolean };
}

/**
 * @param longestMs how long a command may take before it is struck
 * @param mayKill else it is always Ctrl-C
 */
export function randomStrike(dice: Dice, longestMs: number, mayKill: boolean): Strike {
  const kind =
    !mayKill || dice.chance(0.4) ? "cancel" : dice.pick(["kill both", "kill both", "orphan", "kill provider"] as const);
  // An orphan matters when it dies between its look and its purchase.
  if (kind === "orphan" && dice.chance(0.6)) {
    return { kind, when: { request: dice.whole(1, 12), phase: dice.pick(["arrived", "acted"]), isChange: false } };
  }
  // Short times as often as long ones: most of what matters happens around the first calls.
  if (dice.chance(0.5)) return { kind, when: { afterMs: Math.round(longestMs ** dice.random()) } };
  const isChange = dice.chance(0.7);
  const request = dice.whole(1, isChange ? 4 : 20);
  return { kind, when: { request, phase: dice.pick(["arrived", "acted"]), isChange } };
}

/** Calls `hit` at the strike's moment. The returned function disarms it. */
export function arm({ when }: Strike, { clock, server }: Stage, hit: () => void): () => void {
  let isArmed = true;
  const fire = (): void => {
    if (isArmed) hit();
    isArmed = false;
  };
  if ("afterMs" in when) void clock.sleep(when.afterMs).then(fire);
  else {
    const before = server.listener;
    let left = when.request;
    server.listener = (arrival) => {
      before?.(arrival);
      if (arrival.phase !== when.phase || (when.isChange && arrival.method === "GET")) return;
      left -= 1;
      if (left === 0) fire();
    };
  }
  return () => {
    isArmed = false;
  };
}
