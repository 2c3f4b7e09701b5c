import { describe, expect, test } from "vitest";
import type { EngineLine } from "../../provider/hooks/engine.ts";
import { createHost } from "../../provider/hooks/host.ts";
import { startProgress } from "../../provider/hooks/progress.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";
import { type FakeEngine, fakeEngine } from "./fake-engine.ts";
import { urnOf } from "./resources.ts";

const URN = urnOf("Cluster");

function started(env: Readonly<Record<string, string>> = {}, urn: string | undefined = URN) {
  const clock: VirtualClock = virtualClock({ quietRounds: 1 });
  const engine: FakeEngine = fakeEngine();
  const host = createHost({ env, clock, engine });
  const progress = startProgress(host, { urn, verb: "creating", resource: "train" });
  return { clock, engine, ...progress };
}

describe("startProgress()", () => {
  test("shows life on the resource's own row every 10 s when nothing changes", async () => {
    const { clock, engine, end } = started();
    await clock.advance(35_000);
    end();
    const line = { severity: "info", urn: URN, message: "started", isEphemeral: true };
    expect(engine.lines).toEqual([line, line, line]);
  });

  test("shows each change at once, with the request and the next question, when it is reported", async () => {
    const { clock, engine, report, end } = started();
    await clock.advance(2_000);
    report({ status: "PENDING", requestId: "r-1", nextAtMs: clock.now() + 4_500 });
    report({ status: "PENDING", requestId: "r-1", nextAtMs: clock.now() + 9_000 });
    report({ status: "PROCESSING", requestId: "r-1" });
    await clock.settle();
    end();
    expect(engine.lines.map(({ message }) => message)).toEqual([
      "PENDING, request r-1, next question in 5 s",
      "PROCESSING, request r-1",
    ]);
  });

  test("puts the name in front when there is no row to show it on", async () => {
    const clock = virtualClock({ quietRounds: 1 });
    const engine = fakeEngine();
    const { report, end } = startProgress(createHost({ env: {}, clock, engine }), {
      urn: undefined,
      verb: "creating",
      resource: "train",
    });
    report({ status: "PENDING" });
    await clock.settle();
    end();
    expect(engine.lines.map(({ message }) => message)).toEqual(["train: PENDING"]);
  });

  test.for([{ CI: "true" }, { CI: "1" }, { TENSORPOOL_PROGRESS: "plain" }])(
    "writes a plain line at least every 60 s when the environment has %j",
    async (env) => {
      const clock = virtualClock({ quietRounds: 1 });
      const atMs = [clock.now()];
      const log = async ({ isEphemeral }: EngineLine): Promise<void> => {
        if (isEphemeral !== true) atMs.push(clock.now());
      };
      const host = createHost({ env, clock, engine: { log } });
      const { report, end } = startProgress(host, { urn: URN, verb: "creating", resource: "train" });
      await clock.advance(57_000);
      report({ status: "PROCESSING" });
      await clock.advance(243_000);
      end();
      const gapsMs = atMs.slice(1).map((ms, index) => ms - (atMs[index] ?? 0));
      expect(gapsMs).toHaveLength(5);
      expect(Math.max(...gapsMs)).toBeLessThanOrEqual(60_000);
    },
  );

  test("says in a plain line what is done and for how long when it writes one", async () => {
    const { clock, engine, end } = started({ CI: "true" });
    await clock.advance(61_000);
    end();
    expect(engine.lines.filter(({ isEphemeral }) => isEphemeral !== true)).toEqual([
      { severity: "info", urn: URN, message: "creating for 60 s: started", isEphemeral: false },
    ]);
  });

  test.for([{}, { CI: "" }, { TENSORPOOL_PROGRESS: "fancy" }])(
    "writes no plain line when the environment has %j",
    async (env) => {
      const { clock, engine, end } = started(env);
      await clock.advance(300_000);
      end();
      expect(engine.lines.filter(({ isEphemeral }) => isEphemeral !== true)).toEqual([]);
    },
  );

  test("leaves no timer behind when it has ended", async () => {
    const { clock, engine, end } = started();
    end();
    await clock.settle();
    expect(clock.sleepers).toBe(0);
    await clock.advance(60_000);
    expect(engine.lines).toEqual([]);
  });

  test("goes on when the engine does not answer", async () => {
    const { clock, engine, report, end } = started();
    engine.isGone = true;
    report({ status: "PENDING" });
    await clock.advance(20_000);
    engine.isGone = false;
    await clock.advance(10_000);
    end();
    expect(engine.lines).toHaveLength(1);
  });

  test("does nothing when there is no engine", () => {
    const clock = virtualClock({ quietRounds: 1 });
    const { report, end } = startProgress(createHost({ env: {}, clock }), {
      urn: URN,
      verb: "creating",
      resource: "x",
    });
    report({ status: "PENDING" });
    end();
    expect(clock.sleepers).toBe(0);
  });
});
