import { setTimeout } from "node:timers/promises";
import type { CommandResult, RunningCommand } from "../../tools/process.ts";
import { createDice, type Dice, seedOf } from "../chaos/dice.ts";
import { killNow, until } from "./crash.ts";
import { openScene, PUBLIC_KEY, type Scene } from "./scene.ts";

/** What the rounds have come to. Everything but `rounds` and `blows` ought to be 0. */
export interface KillResult {
  rounds: number;
  /** How often each kind of blow has hit. */
  readonly blows: Partial<Record<Blow, number>>;
  /** Objects that are billed and in no state, or in the state and not there. */
  lost: number;
  /** Objects bought beyond those that the program asks for. */
  boughtTwice: number;
  /** Rounds after which the command failed four times in a row. */
  notConverged: number;
}

interface Plan {
  readonly instanceType: string;
  readonly sizeGb: number;
  readonly volumeName: string | undefined;
}

const FIRST: Plan = { instanceType: "8xH200", sizeGb: 100, volumeName: undefined };
/** Clusters and volumes in the program. */
const PAID = 3;

const programOf = ({ instanceType, sizeGb, volumeName }: Plan): string => `
const key = new SshKey("me", { publicKey: "${PUBLIC_KEY}" });
const cluster = new Cluster("train", { instanceType: "${instanceType}", numNodes: 2, sshKeyId: key.id });
const data = new StorageVolume("data", { sizeGb: ${sizeGb}, name: ${JSON.stringify(volumeName)} });
new StorageVolume("scratch", { sizeGb: 10 });
new StorageAttachment("data-on-train", { clusterId: cluster.id, storageId: data.id });
`;

/** What each round disturbs, in turn, and how long it takes at most after its first call that changes something. */
const PHASES = [
  { name: "create", verb: "up", longestMs: 2_600 },
  { name: "update", verb: "up", longestMs: 1_800 },
  { name: "destroy", verb: "destroy", longestMs: 2_000 },
] as const;
type Phase = (typeof PHASES)[number];

const BLOWS = ["kill CLI", "kill provider", "kill both", "Ctrl-C", "Ctrl-C twice", "Ctrl-C, then kill both"] as const;
type Blow = (typeof BLOWS)[number];

async function strike(command: RunningCommand, blow: Blow): Promise<CommandResult> {
  switch (blow) {
    case "kill CLI":
      return killNow(command, "CLI");
    case "kill provider":
      return killNow(command, "provider");
    case "kill both":
      return killNow(command, "both");
    case "Ctrl-C":
      command.interrupt();
      return command.done;
    case "Ctrl-C twice":
      command.interrupt();
      command.interrupt();
      return command.done;
    case "Ctrl-C, then kill both":
      command.interrupt();
      await setTimeout(30);
      return killNow(command, "both");
  }
}

/**
 * Disturbs the real CLI at random moments of create, update and destroy of an ordinary program, goes on as a user does
 * (`pulumi cancel`, and the same command again), and counts what is wrong then.
 * @param say is told of each round, and of all that is wrong in it
 */
export async function killRounds(rounds: number, seed: number, say: (line: string) => void): Promise<KillResult> {
  const result: KillResult = { rounds: 0, blows: {}, lost: 0, boughtTwice: 0, notConverged: 0 };
  for (let story = 1; result.rounds < rounds; story += 1) {
    const left = Math.min(PHASES.length, rounds - result.rounds);
    await tellStory(createDice(seedOf(seed, story, "kill")), left, result, say);
  }
  return result;
}

/** One stack that is created, updated and destroyed, each time with a disturbance. */
async function tellStory(dice: Dice, rounds: number, result: KillResult, say: (line: string) => void): Promise<void> {
  let plan = FIRST;
  await using scene = await openScene(programOf(plan), { emulator: { operationSeconds: 0.8 } });
  for (const phase of PHASES.slice(0, rounds)) {
    for (;;) {
      const next = phase.name === "update" ? edited(plan, dice) : plan;
      const wanted = { create: PAID, update: next.instanceType === plan.instanceType ? 0 : 1, destroy: 0 }[phase.name];
      plan = next;
      await scene.write(programOf(plan));
      const before = scene.bought().length;
      const blow = dice.pick(BLOWS);
      const afterMs = dice.whole(0, phase.longestMs);
      const hit = await disturbed(scene, phase, blow, afterMs);
      if (!hit) {
        // It was through before: back to where the phase begins, and once more.
        if (phase.name === "create") await scene.stack.destroy([], { check: true });
        if (phase.name === "destroy") await scene.stack.up([], { check: true });
        continue;
      }
      const tries = await converge(scene, phase);
      const wrong = await judge(scene, before + wanted, tries);
      result.rounds += 1;
      result.blows[blow] = (result.blows[blow] ?? 0) + 1;
      result.lost += wrong.lost.length;
      result.boughtTwice += wrong.boughtTwice;
      if (tries === undefined) result.notConverged += 1;
      say(`round ${result.rounds}: ${phase.name}, ${blow} after ${afterMs} ms: ${wrong.words}`);
      break;
    }
  }
}

function edited(plan: Plan, dice: Dice): Plan {
  return {
    sizeGb: plan.sizeGb + 10,
    instanceType: dice.chance(0.5) ? (plan.instanceType === "8xH200" ? "8xB200" : "8xH200") : plan.instanceType,
    volumeName: dice.chance(0.5) ? `corpus-${plan.sizeGb}` : plan.volumeName,
  };
}

/** Runs the phase's command and strikes; whether it was hit before it was through. */
async function disturbed({ stack, sent }: Scene, { verb }: Phase, blow: Blow, afterMs: number): Promise<boolean> {
  const before = sent().length;
  const command = stack.spawn([verb]);
  let hasEnded = false;
  void command.done.then(() => {
    hasEnded = true;
  });
  // The clock of a blow starts with the first call that changes something: before it there is nothing to lose.
  await until(() => hasEnded || sent().length > before);
  await setTimeout(afterMs);
  const { code } = await strike(command, blow);
  return code !== 0;
}

const MOST_TRIES = 4;

/** Goes on as a user does, until the command succeeds; `undefined` when it never does. */
async function converge({ stack }: Scene, { verb }: Phase): Promise<number | undefined> {
  await stack.cancel();
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const { code } = await stack[verb]();
    if (code === 0) return tries;
  }
  return undefined;
}

async function judge(
  scene: Scene,
  mostBought: number,
  tries: number | undefined,
): Promise<{ lost: string[]; boughtTwice: number; words: string }> {
  const [tracked, billed] = [await scene.tracked(), scene.billed()];
  const lost = [...billed.filter((id) => !tracked.includes(id)), ...tracked.filter((id) => !billed.includes(id))];
  const boughtTwice = Math.max(0, scene.bought().length - mostBought);
  const early = scene.api.ledger().requests.filter((request) => request.early).length;
  const words = [
    tries === undefined ? `not converged after ${MOST_TRIES} tries` : `converged in ${tries}`,
    ...(lost.length > 0 ? [`LOST ${lost.join(", ")} (billed ${billed.join(", ")}; state ${tracked.join(", ")})`] : []),
    ...(boughtTwice > 0 ? [`BOUGHT TWICE ${boughtTwice}: ${scene.sent().join(", ")}`] : []),
    ...(early > 0 ? [`${early} polls came early`] : []),
  ];
  return { lost, boughtTwice, words: words.join("; ") };
}
