import type { Engine, EngineLine } from "../../provider/hooks/engine.ts";

/** An engine that notes what it is told; while `isGone`, it does not answer. */
export interface FakeEngine extends Engine {
  readonly lines: EngineLine[];
  isGone: boolean;
}

export function fakeEngine(): FakeEngine {
  const lines: EngineLine[] = [];
  return {
    lines,
    isGone: false,
    async log(line) {
      if (this.isGone) throw new Error("the engine does not answer");
      lines.push(line);
    },
  };
}
