import type { Dice } from "./dice.ts";
import type { Server } from "./server.ts";

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
  const kind = !mayKill || dice.chance(0.4) ? "cancel" : dice.pick(["kill both", "kill both", "orphan", "kill provider"] as const);
  // Short times as often as long ones: most of what matters happens around the first calls.
  if (dice.chance(0.5)) return { kind, when: { afterMs: Math.round(longestMs ** dice.random()) } };
  const isChange = dice.chance(0.7);
  const request = dice.whole(1, isChange ? 4 : 20);
  return { kind, when: { request, phase: dice.pick(["arrived", "acted"]), isChange } };
}

/** Calls `hit` at the strike's moment. The returned function disarms it. */
export function arm(strike: Strike, server: Server, sleep: (ms: number) => Promise<void>, hit: () => void): () => void {
  const { when } = strike;
  let isArmed = true;
  const fire = (): void => {
    if (isArmed) hit();
    isArmed = false;
  };
  if ("afterMs" in when) {
    sleep(when.afterMs).then(fire);
    return () => {
      isArmed = false;
    };
  }
  let left = when.request;
  server.listener = ({ phase, method }) => {
    if (phase !== when.phase || (when.isChange && method === "GET")) return;
    left -= 1;
    if (left === 0) fire();
  };
  return () => {
    isArmed = false;
    server.listener = undefined;
  };
}
