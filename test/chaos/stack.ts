import { objectIdOf } from "../../provider/operations/state.ts";
import { destroy, refresh, up } from "../engine/commands.ts";
import type { Plugin } from "../engine/plugin.ts";
import { type Command, type CommandOptions, nameOf, type Outcome } from "../engine/session.ts";
import { memoryStore, type Store } from "../engine/state.ts";
import type { Dice } from "./dice.ts";
import type { Author } from "./programs.ts";
import type { Stage } from "./stage.ts";
import { arm, type Strike, type StrikeKind } from "./strikes.ts";

export type What = "up" | "up --refresh" | "up --replace" | "refresh" | "destroy";

/** One stack: its state, the commands that are run on it, and what its user must keep in mind between them. */
export interface Stack {
  readonly store: Store;
  readonly commands: number;
  readonly strikes: Readonly<Record<StrikeKind, number>>;
  /** Names whose create was begun and of which the state knows nothing: only an `up` finds what they have bought. */
  unsettled(): string[];
  /** Ids whose delete was begun and did not end well: only a refresh can tell whether they are there. */
  readonly doubtful: ReadonlySet<string>;
  /** Runs a command to its end, or until a strike kills its engine: then there is no outcome. */
  run(what: What, strikes: readonly Strike[]): Promise<Outcome | undefined>;
}

export const NO_STRIKES: Readonly<Record<StrikeKind, number>> = {
  "kill both": 0,
  orphan: 0,
  "kill provider": 0,
  cancel: 0,
};

export interface StackOptions {
  readonly stage: Stage;
  readonly author: Author;
  readonly dice: Dice;
  readonly trace: (line: string) => void;
}

export function createStack({ stage, author, dice, trace }: StackOptions): Stack {
  const { server } = stage;
  const store = memoryStore();
  const strikes = { ...NO_STRIKES };
  const unsettled = new Set<string>();
  const doubtful = new Set<string>();
  let commands = 0;

  function watched(plugin: Plugin, isDead: () => boolean): Plugin {
    return {
      ...plugin,
      create(urn, inputs) {
        unsettled.add(urn);
        return plugin.create(urn, inputs);
      },
      async delete(urn, id, props) {
        const objectId = objectIdOf(id, props) ?? id;
        doubtful.add(objectId);
        await plugin.delete(urn, id, props);
        if (!isDead()) doubtful.delete(objectId);
      },
    };
  }

  function begin(what: What, options: CommandOptions): Command {
    const program = author.program();
    if (what === "refresh") return refresh(options);
    if (what === "destroy") return destroy(options);
    if (what === "up") return up({ ...options, program });
    if (what === "up --refresh") return up({ ...options, program, isRefreshing: true });
    return up({ ...options, program, replace: [dice.pick(program).name] });
  }

  function settle(what: What, outcome: Outcome | undefined): void {
    for (const { urn, pendingReplacement } of store.read().resources) if (!pendingReplacement) unsettled.delete(urn);
    if (outcome?.ok === true && (what === "refresh" || what === "up --refresh")) doubtful.clear();
  }

  return {
    store,
    strikes,
    doubtful,
    unsettled: () => [...unsettled].map(nameOf),
    get commands() {
      return commands;
    },
    async run(what, plan) {
      commands += 1;
      trace(`--- ${what}`);
      const provider = await stage.start();
      const killed = Promise.withResolvers<undefined>();
      let isDead = false;
      const command = begin(what, {
        plugin: watched(provider.plugin, () => isDead),
        store,
        parallel: dice.pick([4, 8, 32]),
        isDead: () => isDead,
        trace,
      });
      const hit = (kind: StrikeKind): void => {
        trace(`*** ${kind}`);
        strikes[kind] += 1;
        if (kind === "cancel") return command.cancel();
        isDead ||= kind !== "kill provider";
        if (kind === "orphan") provider.orphan();
        else provider.kill();
        if (isDead) killed.resolve(undefined);
      };
      const disarm = plan.map((strike) => arm(strike, stage, () => hit(strike.kind)));
      const outcome = await stage.until(Promise.race([command.outcome, killed.promise]));
      for (const off of disarm) off();
      server.listener = undefined;
      if (outcome !== undefined) await provider.end();
      settle(what, outcome);
      trace(outcome === undefined ? "=== killed" : outcome.ok ? "=== ok" : "=== failed");
      return outcome;
    },
  };
}
