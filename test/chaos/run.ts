import { destroy, refresh, up } from "../engine/commands.ts";
import type { Plugin } from "../engine/plugin.ts";
import { type Command, type CommandOptions, nameOf, type Outcome } from "../engine/session.ts";
import { memoryStore, type Store } from "../engine/state.ts";
import type { Dice } from "./dice.ts";
import { isFine, judge } from "./judge.ts";
import type { Author } from "./programs.ts";
import type { Stage } from "./stage.ts";
import { arm, randomStrike, type StrikeKind } from "./strikes.ts";
import { randomFaults } from "./troubles.ts";
import { obey } from "./user.ts";

export interface RunOptions {
  readonly stage: Stage;
  readonly author: Author;
  readonly dice: Dice;
  /** New objects may be missing from the lists for a while: then every command comes a minute after the one before. */
  readonly mayBeUnlisted: boolean;
  /** New objects may vanish for a while when they are ready: then nothing is killed. */
  readonly mayBeHidden: boolean;
  /** How long a user waits before trying again what has failed. */
  readonly patienceMs: number;
  /** No random strike comes later than this after the start of a command. */
  readonly longestMs: number;
  trace(line: string): void;
}

export interface RunResult {
  readonly commands: number;
  readonly strikes: Readonly<Record<StrikeKind, number>>;
  readonly lost: readonly string[];
  readonly wrong: readonly string[];
  readonly isConverged: boolean;
}

type What = "up" | "up --refresh" | "up --replace" | "refresh" | "destroy";
const COMMANDS: readonly What[] = ["up", "up", "up", "up", "up", "up --refresh", "up --replace", "refresh", "destroy"];
const MOST_TRIES = 8;
/** Longer than an orphan lives, and than an object may be missing from the lists. */
const REST_MS = 60_000;

/** One random story of one stack, and its end: with the faults off it must converge, and nothing may be left over. */
export async function play(options: RunOptions): Promise<RunResult> {
  const { stage, author, dice, mayBeUnlisted, mayBeHidden, longestMs, patienceMs, trace } = options;
  const { server } = stage;
  const store: Store = memoryStore();
  const strikes: Record<StrikeKind, number> = { "kill both": 0, orphan: 0, "kill provider": 0, cancel: 0 };
  const lost: string[] = [];
  const wrong: string[] = [];
  /** Creates that were begun, and of which the state knows nothing: what they have bought only an `up` can find. */
  const unsettled = new Set<string>();
  /** Deletes that were begun and did not end well: whether their objects are there only a refresh can tell. */
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
        doubtful.add(id);
        await plugin.delete(urn, id, props);
        if (!isDead()) doubtful.delete(id);
      },
    };
  }

  function settle(what: What, outcome: Outcome | undefined): void {
    for (const { urn, pendingReplacement } of store.read().resources) if (!pendingReplacement) unsettled.delete(urn);
    if (outcome?.ok === true && (what === "refresh" || what === "up --refresh")) {
      // Of an attachment no refresh can tell that it is being detached.
      for (const id of doubtful) if (!id.includes("/") || server.quietInMs() === 0) doubtful.delete(id);
    }
  }

  function begin(what: What, options: CommandOptions): Command {
    const program = author.program();
    if (what === "refresh") return refresh(options);
    if (what === "destroy") return destroy(options);
    if (what === "up") return up({ ...options, program });
    if (what === "up --refresh") return up({ ...options, program, isRefreshing: true });
    return up({ ...options, program, replace: [dice.pick(program).name] });
  }

  /** Undefined when the engine was killed. */
  async function command(what: What, isStruck: boolean): Promise<Outcome | undefined> {
    commands += 1;
    trace(`--- ${what}`);
    const provider = await stage.start();
    let isDead = false;
    let command: Command | undefined;
    const killed = Promise.withResolvers<undefined>();
    const options = {
      plugin: watched(provider.plugin, () => isDead),
      store,
      parallel: dice.pick([4, 8, 32]),
      isDead: () => isDead,
      trace,
    };
    const hit = (kind: StrikeKind): void => {
      trace(`*** ${kind}`);
      strikes[kind] += 1;
      if (kind === "cancel") return command?.cancel();
      isDead = kind !== "kill provider";
      if (kind === "orphan") provider.orphan();
      else provider.kill();
      if (isDead) killed.resolve(undefined);
    };
    const count = isStruck ? dice.pick([1, 1, 1, 1, 2]) : 0;
    const plans = Array.from({ length: count }, () => randomStrike(dice, longestMs, !mayBeHidden));
    const disarm = plans.map((strike) => arm(strike, server, (ms) => stage.clock.sleep(ms), () => hit(strike.kind)));
    command = begin(what, options);
    const outcome = await stage.until(Promise.race([command.outcome, killed.promise]));
    for (const off of disarm) off();
    if (outcome !== undefined) await provider.end();
    settle(what, outcome);
    trace(outcome === undefined ? "=== killed" : outcome.ok ? "=== ok" : "=== failed");
    return outcome;
  }

  function check(when: string): void {
    const { lost: lostNow, phantoms } = judge(store.read(), server);
    const verdict = { lost: lostNow, phantoms: phantoms.filter((id) => !doubtful.has(id)) };
    if (isFine(verdict)) return;
    trace(`!!! ${when}: lost ${verdict.lost.join(", ") || "nothing"}; not there ${verdict.phantoms.join(", ") || "nothing"}`);
    lost.push(...verdict.lost);
    wrong.push(...verdict.phantoms.map((id) => `${id} is in the state after ${when} and does not exist`));
  }

  const rest = (ms: number): Promise<void> => stage.until(stage.clock.sleep(ms));

  async function story(): Promise<void> {
    for (let left = dice.whole(2, 7); left > 0 && lost.length === 0; left -= 1) {
      if (commands > 0 && dice.chance(0.6)) for (let edits = dice.whole(1, 3); edits > 0; edits -= 1) trace(author.edit([...unsettled].map(nameOf)));
      const isCalm = dice.chance(0.2);
      server.setFaults(isCalm ? [] : randomFaults(dice, { mayBeUnlisted, mayBeHidden }));
      const wish = dice.pick(COMMANDS);
      const what = wish === "destroy" && unsettled.size > 0 ? "up" : wish;
      const outcome = await command(what, dice.chance(0.55));
      if (outcome?.ok === true && what !== "refresh") check(what);
      else if (outcome !== undefined && dice.chance(0.5)) for (const line of obey(outcome, author, store, server)) trace(line);
      const mustRest = mayBeUnlisted || doubtful.size > 0;
      const quietMs = mayBeHidden && unsettled.size > 0 ? server.quietInMs() : 0;
      await rest(Math.max(quietMs, mustRest ? REST_MS : dice.whole(200, 5_000)));
    }
  }

  async function converge(what: "up" | "destroy"): Promise<boolean> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const outcome = await command(what === "up" && doubtful.size > 0 ? "up --refresh" : what, false);
      if (outcome?.ok === true) return true;
      const done = outcome === undefined ? [] : obey(outcome, author, store, server);
      for (const line of done) trace(line);
      if (done.includes("refresh")) await command("refresh", false);
      if (done.some((line) => line !== "refresh") && what === "destroy") await command("up", false);
      if (done.length === 0 || done.every((line) => line === "refresh")) await rest(patienceMs);
    }
    return false;
  }

  await story();
  server.setFaults([]);
  await rest(REST_MS);
  let isConverged = false;
  if (lost.length === 0 && (await converge("up"))) {
    check("the last up");
    isConverged = await converge("destroy");
    if (isConverged) check("destroy");
  }
  return { commands, strikes, lost, wrong, isConverged };
}
