import { setTimeout as sleep } from "node:timers/promises";
import { realClock } from "../../provider/wait/clock.ts";
import { listen } from "../emulator/server.ts";
import { type HostProcess, startHost } from "../host/host-driver.ts";
import { createDice, seedOf } from "./dice.ts";
import { createAuthor } from "./programs.ts";
import type { Report } from "./report.ts";
import { FAILED_RUN, play } from "./run.ts";
import { createServer } from "./server.ts";
import type { ProviderProcess, Stage } from "./stage.ts";

/** A process whose engine is gone must end itself within this time. */
const ORPHAN_ENDS_WITHIN_MS = 30_000;

/** One run with real Node hosts, over gRPC and HTTP and in real time: its moments differ from time to time. */
export async function runOnHosts(seed: number, run: number, lines: string[], folder: string): Promise<Report> {
  const diceOf = (part: string) => createDice(seedOf(seed, run, part));
  const startMs = realClock.now();
  const wrong: string[] = [];
  const trace = (line: string): void => {
    lines.push(`${((realClock.now() - startMs) / 1000).toFixed(3).padStart(10)} ${line}`);
  };
  const settings = diceOf("settings");
  const server = createServer({
    operationSeconds: settings.pick([0.1, 0.5, 1.5]),
    retryAfterSeconds: settings.pick([null, 0.1, 1]),
    hasUniqueNames: settings.chance(0.4),
    omit: settings.pick([[], ["cluster_id", "storage_id"]]),
    seed: seedOf(seed, run, "emulator"),
  });
  const listening = await listen(0, (incoming) => server.respond(incoming));
  const hosts = new Set<HostProcess>();

  async function start(): Promise<ProviderProcess> {
    const env = { TENSORPOOL_KEY: "test-key", TENSORPOOL_ENGINE: listening.url, CI: "" };
    const host = await startHost({ folder, env, callLimitMs: 300_000 });
    hosts.add(host);
    return {
      plugin: host.plugin,
      kill: host.kill,
      orphan: host.orphan,
      async end() {
        await host.plugin.cancel().catch(() => undefined);
        // The host prints the stack of what nobody has caught, and of what a hook has thrown with one.
        if (/^ {4}at /m.test(host.output())) wrong.push(`the host has printed a stack: ${host.output()}`);
        await host[Symbol.asyncDispose]();
        hosts.delete(host);
      },
    };
  }

  async function orphansEnded(): Promise<void> {
    for (const host of hosts) {
      const isOver = await Promise.race([
        host.ended.then(() => true),
        sleep(ORPHAN_ENDS_WITHIN_MS, false, { ref: false }),
      ]);
      if (!isOver) wrong.push("a provider process lives on without its engine");
      await host[Symbol.asyncDispose]();
    }
    hosts.clear();
  }

  const stage: Stage = {
    clock: realClock,
    server,
    start,
    until: (promise) => promise,
    orphansEnded,
    async close() {
      await orphansEnded();
      await listening.close();
    },
  };
  const author = createAuthor(diceOf("program"), false);
  const dice = diceOf("story");
  for (const one of author.program()) trace(JSON.stringify(one));
  const options = { stage, author, dice, mayBeUnlisted: false, mayBeHidden: false, isRealTime: true, trace };
  const result = await play(options).catch((error: unknown) => {
    trace(`!!! ${error instanceof Error ? error.stack : String(error)}`);
    return FAILED_RUN;
  });
  await stage.close();
  for (const line of wrong) trace(`!!! ${line}`);
  return {
    ...result,
    wrong: [...result.wrong, ...wrong],
    twins: [...server.twins],
    fired: server.fired(),
    requests: server.requests(),
  };
}
