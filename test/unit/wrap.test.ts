import { describe, expect, test } from "vitest";
import type { Context } from "../../provider/context.ts";
import { InitError, StoppedError } from "../../provider/errors.ts";
import { cancel, createHost, type Host } from "../../provider/hooks/host.ts";
import { wrap } from "../../provider/hooks/wrap.ts";
import type { Resource } from "../../provider/operations/resource.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";
import { type FakeEngine, fakeEngine } from "./fake-engine.ts";
import { urnOf } from "./resources.ts";

const KEY = "tp-secret-key-0123456789";
const props = { __provider: "text", __urn: urnOf("Cluster"), name: "n" };

interface World {
  readonly host: Host;
  readonly clock: VirtualClock;
  readonly engine: FakeEngine;
  readonly hooks: ReturnType<typeof wrap>;
}

/** The hooks of a resource that does what the test says. */
function world(does: Partial<Resource>, env: Readonly<Record<string, string>> = { TENSORPOOL_KEY: KEY }): World {
  const clock = virtualClock({ quietRounds: 1 });
  const engine = fakeEngine();
  const host = createHost({ env, clock, engine, transport: () => Promise.reject(new Error("no network here")) });
  const resource: Resource = {
    noun: "cluster",
    fields: {},
    check: (_olds, news) => ({ inputs: news, failures: [], warnings: [] }),
    diff: () => ({ changes: false, replaces: [] }),
    create: async (_context, inputs) => ({ id: "c-1", outputs: inputs }),
    update: async (_context, _id, _olds, news) => news,
    read: async (_context, id, outputs) => ({ id, outputs, inputs: outputs }),
    destroy: async () => undefined,
    ...does,
  };
  return { host, clock, engine, hooks: wrap(resource, host) };
}

/** What the hook throws. */
async function thrown(hook: Promise<unknown>): Promise<unknown> {
  return hook.then(
    () => expect.unreachable("the hook has not failed"),
    (error: unknown) => error,
  );
}

/** Waits on the context's signal, as every operation does. */
const forever = (context: Context): Promise<never> =>
  context.clock.sleep(10 ** 9, context.signal).then(() => expect.unreachable());

test("wrap() lets a refresh, which compares and checks nothing, find that an adopted object has drifted", async () => {
  const { hooks } = world({ diff: () => ({ changes: true, replaces: ["status"] }) });
  const [olds, news] = [
    { ...props, adopt: "c-1", status: "FAILED" },
    { ...props, adopt: "c-1" },
  ];
  await expect(hooks.diff("c-1", olds, news)).resolves.toMatchObject({ replaces: ["status"] });
  await hooks.check(props, news);
  await expect(hooks.diff("c-1", olds, news)).rejects.toThrow("Cannot replace cluster c-1: it is FAILED");
});

describe("wrap() hands out only JSON", () => {
  const dirty = { ...props, gone: undefined, nan: Number.NaN };
  const cleaned = { ...props, nan: null };

  test("when create and update give outputs", async () => {
    const { hooks } = world({
      create: async () => ({ id: "c-1", outputs: dirty }),
      update: async () => dirty,
    });
    expect(JSON.stringify(await hooks.create(props))).toBe(JSON.stringify({ id: "c-1", outs: cleaned }));
    expect(Object.keys((await hooks.update("c-1", {}, props)).outs ?? {})).toEqual(Object.keys(cleaned));
  });

  test("when read finds the resource", async () => {
    const { hooks } = world({ read: async (_context, id) => ({ id, outputs: dirty, inputs: dirty }) });
    const found = await hooks.read("c-1", props);
    expect(Object.keys(found.props ?? {})).toEqual(Object.keys(cleaned));
    expect(Object.keys(found.inputs ?? {})).toEqual(Object.keys(cleaned));
  });

  test("when check fills in inputs", async () => {
    const { hooks } = world({ check: () => ({ inputs: dirty, failures: [], warnings: [] }) });
    expect(Object.keys((await hooks.check({}, props)).inputs ?? {})).toEqual(Object.keys(cleaned));
  });

  test("when read finds nothing, as an answer without an id", async () => {
    const { hooks } = world({ read: async () => "gone" });
    expect(await hooks.read("c-1", props)).toEqual({});
  });
});

describe("wrap() passes on an unfinished resource", () => {
  const unfinished = async (): Promise<never> => {
    throw new InitError("c-1", { name: "n", gone: undefined }, [`why, with ${KEY}`], new Error("cause"));
  };

  test("with its id, clean properties, __provider and reasons without the key when create or update is unfinished", async () => {
    const { hooks } = world({ create: unfinished, update: unfinished });
    for (const hook of [hooks.create(props), hooks.update("c-1", {}, props)]) {
      const error = await thrown(hook);
      expect(error).toBeInstanceOf(InitError);
      expect(error).toMatchObject({ id: "c-1", reasons: ["why, with (API key)"] });
      expect((error as InitError).properties).toStrictEqual({ name: "n", __provider: "text" });
    }
  });
});

describe("wrap() makes errors fit to be seen", () => {
  const failing = (what: unknown): Partial<Resource> => {
    const fail = async (): Promise<never> => {
      throw what;
    };
    return { create: fail, update: fail, read: fail, destroy: fail };
  };
  const all = ({ hooks }: World): Promise<unknown>[] => [
    hooks.create(props),
    hooks.update("c-1", {}, props),
    hooks.read("c-1", props),
    hooks.delete("c-1", props),
  ];

  test("without the key, and no id, when any hook throws an error that shows it", async () => {
    for (const hook of all(world(failing(new RangeError(`bad ${KEY}!`))))) {
      const error = await thrown(hook);
      expect(error).toBeInstanceOf(Error);
      expect(error).toMatchObject({ message: "bad (API key)!", name: "RangeError" });
      expect(error).not.toHaveProperty("id");
      expect((error as Error).stack).not.toContain(KEY);
    }
  });

  test.for(["text", undefined, null, { id: "c-1" }, 7])("as an Error when %j was thrown", async (what) => {
    for (const hook of all(world(failing(what)))) {
      const error = await thrown(hook);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toHaveProperty("id");
    }
  });

  test("without a stack when check, diff, read or delete fails", async () => {
    const fail = (): never => {
      throw new Error("why");
    };
    const { hooks } = world({ ...failing(new Error("why")), check: fail, diff: fail });
    const four = [
      hooks.check({}, props),
      hooks.diff("c-1", {}, props),
      hooks.read("c-1", props),
      hooks.delete("c-1", props),
    ];
    for (const hook of four) expect(await thrown(hook)).toMatchObject({ message: "why", stack: "" });
  });
});

describe("wrap() ends waits", () => {
  test.for([
    ["create", {}, 3_600],
    ["update", {}, 1_800],
    ["delete", {}, 1_800],
    ["create", { timeouts: { create: 90, delete: 5 } }, 90],
    ["delete", { timeouts: { create: 90, delete: 5 } }, 5],
    ["update", { timeouts: { update: 0.5 } }, 0.5],
  ] as const)("at the limit of %s when the arguments are %j: %d s", async ([verb, extra, limitS]) => {
    const { hooks, clock } = world({ create: forever, update: forever, destroy: forever });
    const startMs = clock.now();
    const given = { ...props, ...extra };
    const running = {
      create: () => hooks.create(given),
      update: () => hooks.update("c-1", {}, given),
      delete: () => hooks.delete("c-1", given),
    }[verb];
    await expect(clock.run<unknown>(running())).rejects.toThrow(`Cannot ${verb} cluster "n"`);
    expect(clock.now() - startMs).toBe(limitS * 1000);
    expect(clock.sleepers).toBe(0);
  });

  test("at once when the engine cancels, also for a hook that comes later", async () => {
    const { hooks, clock, host } = world({ create: forever });
    const running = hooks.create(props);
    await clock.settle();
    cancel(host);
    await expect(running).rejects.toThrow("cancelled");
    await expect(hooks.create(props)).rejects.toThrow("cancelled");
    expect([clock.sleepers, host.stops.size]).toEqual([0, 0]);
  });

  test("with a StoppedError for the operation when the limit has passed", async () => {
    let reason: unknown;
    const { hooks, clock } = world({
      create: (context) =>
        forever(context).catch((error: unknown) => {
          reason = error;
          throw error;
        }),
    });
    await thrown(clock.run(hooks.create({ ...props, timeouts: { create: 1 } })));
    expect(reason).toBeInstanceOf(StoppedError);
    expect(reason).toMatchObject({ why: "limit" });
  });

  test("and leaves no timer behind when the operation is through", async () => {
    const { hooks, clock } = world({});
    await hooks.create(props);
    await clock.settle();
    expect(clock.sleepers).toBe(0);
  });
});
