import { isFine, judge } from "./judge.ts";
import { createStack, NO_STRIKES, type StackOptions, type What } from "./stack.ts";
import { randomStrike, type StrikeKind } from "./strikes.ts";
import { randomFaults } from "./troubles.ts";
import { obey } from "./user.ts";

export interface RunOptions extends StackOptions {
  /** New objects may be missing from the lists for a while: then every command comes a minute after the one before. */
  readonly mayBeUnlisted: boolean;
  /** New objects may vanish for a while when they are ready: then nothing is killed. */
  readonly mayBeHidden: boolean;
  /** Whether time must be saved: then all that lasts is short. */
  readonly isRealTime: boolean;
}

export interface RunResult {
  readonly commands: number;
  readonly strikes: Readonly<Record<StrikeKind, number>>;
  readonly lost: readonly string[];
  readonly wrong: readonly string[];
  readonly isConverged: boolean;
}

/** The result of a run that could not be played to its end. */
export const FAILED_RUN: RunResult = { commands: 0, strikes: NO_STRIKES, lost: [], wrong: [], isConverged: false };

const COMMANDS: readonly What[] = ["up", "up", "up", "up", "up", "up --refresh", "up --replace", "refresh", "destroy"];
const MOST_TRIES = 8;

interface Times {
  /** No random strike comes later than this after the start of a command. */
  readonly longestMs: number;
  /** How long a user waits before trying again what has failed. */
  readonly patienceMs: number;
  /** Longer than an object may be missing from the lists. */
  readonly restMs: number;
  /** The longest time between two commands of a user in a hurry. */
  readonly pauseMs: number;
}
const VIRTUAL: Times = { longestMs: 900_000, patienceMs: 1_500_000, restMs: 60_000, pauseMs: 5_000 };
const REAL: Times = { longestMs: 6_000, patienceMs: 3_000, restMs: 1_000, pauseMs: 800 };

/** One random story of one stack, and its end: with the faults off it must converge, and nothing may be left over. */
export async function play(options: RunOptions): Promise<RunResult> {
  const { stage, author, dice, mayBeUnlisted, mayBeHidden, isRealTime, trace } = options;
  const { longestMs, patienceMs, restMs, pauseMs } = isRealTime ? REAL : VIRTUAL;
  const { server } = stage;
  const stack = createStack(options);
  const lost: string[] = [];
  const wrong: string[] = [];

  const rest = (ms: number): Promise<void> => stage.until(stage.clock.sleep(ms));

  function check(when: string): void {
    const verdict = judge(stack.store.read(), server, stack.doubtful);
    if (isFine(verdict)) return;
    const [missing, phantoms] = [verdict.lost, verdict.phantoms].map((ids) => ids.join(", ") || "nothing");
    trace(`!!! ${when}: lost ${missing}; not there ${phantoms}`);
    lost.push(...verdict.lost);
    wrong.push(...verdict.phantoms.map((id) => `${id} is in the state after ${when} and does not exist`));
  }

  function isNamedBySeed(name: string): boolean {
    const { kind, inputs } = author.program().find((one) => one.name === name) ?? {};
    return (kind === "cluster" || kind === "storageVolume") && inputs?.["name"] === undefined;
  }

  async function scene(): Promise<void> {
    const edits = stack.commands > 0 && dice.chance(0.6) ? dice.whole(1, 3) : 0;
    for (let left = edits; left > 0; left -= 1) trace(author.edit(stack.unsettled()));
    const unsettled = stack.unsettled();
    // What may be in no state asks for an up first; but the stack's seed knows what it has named, where it can look.
    const dares = unsettled.length > 0 && unsettled.every(isNamedBySeed) && dice.chance(0.3);
    server.setFaults(dares || dice.chance(0.2) ? [] : randomFaults(dice, options));
    const wish = dice.pick(COMMANDS);
    const what = dares ? "destroy" : wish === "destroy" && unsettled.length > 0 ? "up" : wish;
    const strikes = dice.chance(0.55) ? dice.pick([1, 1, 1, 1, 2]) : 0;
    const plan = Array.from({ length: strikes }, () => randomStrike(dice, longestMs, !mayBeHidden));
    const outcome = await stack.run(what, plan);
    if (outcome?.ok === true && what !== "refresh") check(what);
    else if (outcome !== undefined && dice.chance(0.5)) {
      for (const line of obey(outcome, author, stack.store, server)) trace(line);
    }
    if (stack.doubtful.size > 0) await stage.orphansEnded();
    const mustRest = mayBeUnlisted || stack.doubtful.size > 0;
    const quietMs = mayBeHidden && stack.unsettled().length > 0 ? server.quietInMs() : 0;
    await rest(Math.max(quietMs, mustRest ? restMs : dice.whole(50, dice.pick([300, pauseMs]))));
  }

  async function converge(what: "up" | "destroy"): Promise<boolean> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const outcome = await stack.run(what === "up" && stack.doubtful.size > 0 ? "up --refresh" : what, []);
      if (outcome?.ok === true) return true;
      const done = outcome === undefined ? [] : obey(outcome, author, stack.store, server);
      for (const line of done) trace(line);
      if (done.includes("refresh")) await stack.run("refresh", []);
      const hasChanged = done.some((line) => line !== "refresh");
      if (hasChanged && what === "destroy") await stack.run("up", []);
      if (!hasChanged) await rest(patienceMs);
    }
    return false;
  }

  for (let left = dice.whole(2, 7); left > 0 && lost.length === 0; left -= 1) await scene();
  server.setFaults([]);
  await stage.orphansEnded();
  await rest(restMs);
  let isConverged = false;
  if (lost.length === 0 && (await converge("up"))) {
    check("the last up");
    isConverged = await converge("destroy");
    if (isConverged) check("destroy");
  }
  const { commands, strikes } = stack;
  return { commands, strikes, lost, wrong, isConverged };
}
