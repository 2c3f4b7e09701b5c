import { objectIdOf } from "../../provider/operations/state.ts";
import type { State } from "../engine/state.ts";
import type { Server } from "./server.ts";

/** What the state and the ledger disagree about. */
export interface Verdict {
  /** Paid for and in no state: a bill that nobody can end. */
  readonly lost: readonly string[];
  /** In the state and not there any more. */
  readonly phantoms: readonly string[];
}

/** @param doubtful ids of which the state need not know that they are gone */
export function judge(state: State, server: Server, doubtful: ReadonlySet<string>): Verdict {
  const held = new Set(
    state.resources.flatMap(({ urn, id, outputs, pendingReplacement }) => {
      if (pendingReplacement || urn.includes(":Seed::")) return [];
      return [objectIdOf(id, outputs) ?? id];
    }),
  );
  const paid = server.paid();
  const there = [...paid.map(({ id }) => id), ...server.attachments(), ...server.sshKeys(), ...server.buckets()];
  return {
    lost: there
      .filter((id) => !held.has(id))
      .map((id) => `${id} ${paid.find((one) => one.id === id)?.name ?? ""}`.trim()),
    phantoms: [...held].filter((id) => !there.includes(id) && !doubtful.has(id)),
  };
}

export function isFine({ lost, phantoms }: Verdict): boolean {
  return lost.length === 0 && phantoms.length === 0;
}
