import { createDice, seedOf } from "./dice.ts";
import { watchEarly } from "./early.ts";
import { memoryStage } from "./memory-stage.ts";
import { createAuthor } from "./programs.ts";
import type { Report } from "./report.ts";
import { FAILED_RUN, play } from "./run.ts";
import { createServer } from "./server.ts";
import { randomSettings } from "./settings.ts";
import { startTime } from "./virtual.ts";

const rejections: string[] = [];
process.on("unhandledRejection", (reason) => {
  rejections.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
});

/** One run in this process and on virtual time. The same seed and number repeat it. */
export async function runInMemory(seed: number, run: number, lines: string[]): Promise<Report> {
  const diceOf = (part: string) => createDice(seedOf(seed, run, part));
  const clock = startTime(seedOf(seed, run, "chance"));
  const startMs = clock.now();
  const trace = (line: string): void => {
    lines.push(`${((clock.now() - startMs) / 1000).toFixed(3).padStart(10)} ${line}`);
  };
  const settings = randomSettings(diceOf("settings"));
  const server = createServer({ ...settings, seed: seedOf(seed, run, "emulator"), clock });
  const watch = watchEarly((line) => trace(`!!! ${line}`));
  const stage = memoryStage({ server, clock, dice: diceOf("wire"), watch, trace });
  const author = createAuthor(diceOf("program"), true);
  const dice = diceOf("story");
  trace(JSON.stringify(settings));
  for (const one of author.program()) trace(JSON.stringify(one));
  rejections.length = 0;
  const result = await play({
    stage,
    author,
    dice,
    mayBeUnlisted: dice.chance(0.4),
    mayBeHidden: dice.chance(0.3),
    isRealTime: false,
    trace,
  }).catch((error: unknown) => {
    trace(`!!! ${error instanceof Error ? error.stack : String(error)}`);
    return FAILED_RUN;
  });
  for (const line of rejections) trace(`!!! ${line}`);
  const wrong = [...result.wrong, ...watch.early, ...rejections];
  return { ...result, wrong, twins: [...server.twins], fired: server.fired(), requests: server.requests() };
}
