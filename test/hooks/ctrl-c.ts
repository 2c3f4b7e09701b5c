import type { Fault } from "../emulator/index.ts";
import type { Process } from "./process.ts";
import { callOf } from "./wire.ts";
import { type Between, startWorld, type World } from "./world.ts";

/** The moment of a Ctrl-C: right before a request leaves, or right after its answer. */
export interface Moment {
  readonly when: "before" | "after";
  readonly call: RegExp;
  /** The how-manieth such request. @default 1 */
  readonly nth?: number;
}

interface Stop {
  atMs?: number;
  press?: () => void;
  moment?: Moment;
}

/** Presses Ctrl-C at `stop.moment`. */
function pressing(stop: Stop): Between {
  let seen = 0;
  return async (request, send) => {
    const isIt = stop.moment?.call.test(callOf(request)) === true && ++seen === (stop.moment.nth ?? 1);
    if (isIt && stop.moment?.when === "before") stop.press?.();
    try {
      return await send(request);
    } finally {
      if (isIt && stop.moment?.when === "after") stop.press?.();
    }
  };
}

export async function stoppable(
  moment: Moment | undefined,
  faults: readonly Fault[] = [],
): Promise<{ world: World; stop: Stop; start: () => Process }> {
  const stop: Stop = { ...(moment && { moment }) };
  const world = await startWorld({ operationSeconds: 20, faults }, pressing(stop));
  return {
    world,
    stop,
    start() {
      const process = world.start();
      stop.press = () => {
        stop.atMs ??= world.clock.now();
        process.cancel();
      };
      return process;
    },
  };
}

/** The seconds from Ctrl-C to the end of the operation. */
export function endsAfter({ world, stop }: { world: World; stop: Stop }): number {
  return (world.clock.now() - (stop.atMs ?? Number.NaN)) / 1_000;
}

export const POLL: RegExp = /^GET \/request\/info/;
export const INFO: RegExp = /^GET \/(cluster|storage)\/info/;
export const LIST: RegExp = /^GET \/(cluster|storage)\/list/;
export const POST: RegExp = /^POST \/(cluster|storage)\/create/;
