import { describe, expect, test } from "vitest";
import type { Context } from "../../provider/context.ts";
import { createHost, type Host } from "../../provider/hooks/host.ts";
import { wrap } from "../../provider/hooks/wrap.ts";
import { UNKNOWN } from "../../provider/operations/fields.ts";
import type { Resource } from "../../provider/operations/resource.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type FakeEngine, fakeEngine } from "./fake-engine.ts";
import { urnOf } from "./resources.ts";

const URN = urnOf("Cluster");

interface World {
  readonly host: Host;
  readonly engine: FakeEngine;
  readonly hooks: ReturnType<typeof wrap>;
}

/** The hooks of a resource whose create does what the test says. */
function world(create: (context: Context) => Promise<void>, env: Readonly<Record<string, string>> = {}): World {
  const engine = fakeEngine();
  const host = createHost({ env: { TENSORPOOL_KEY: "k1", ...env }, clock: virtualClock(), engine });
  const resource: Resource = {
    noun: "cluster",
    fields: {},
    check: (_olds, news) => ({ inputs: news, failures: [], warnings: ["a doubt"] }),
    diff: () => ({ changes: true, replaces: ["instanceType"] }),
    async create(context, inputs) {
      await create(context);
      return { id: "c-1", outputs: inputs };
    },
    update: async (_context, _id, _olds, news) => news,
    read: async (_context, id, outputs) => ({ id, outputs, inputs: outputs }),
    destroy: async () => undefined,
  };
  return { host, engine, hooks: wrap(resource, host) };
}

describe("wrap() gives an operation", () => {
  test("the resource's name in the program, and the row for its lines, when there is a URN", async () => {
    const { hooks, engine } = world(async ({ resource, say }) => say("info", `about ${resource}`));
    await hooks.create({ __urn: URN });
    expect(engine.lines).toEqual([{ severity: "info", message: "about train", urn: URN }]);
  });

  test.for([undefined, UNKNOWN, "junk", "urn:pulumi:a::b"])(
    "no row, and the name in front of its lines, when the URN is %j",
    async (__urn) => {
      const { hooks, engine } = world(async ({ say }) => say("warning", "beware"));
      await hooks.create({ __urn, name: "n" });
      expect(engine.lines).toEqual([{ severity: "warning", message: "n: beware", urn: undefined }]);
    },
  );

  test("one client for all hooks when the account is one, and another one when it is another", async () => {
    const apis = new Set<unknown>();
    const { hooks, host } = world(async ({ api }) => void apis.add(api));
    await Promise.all([hooks.create({}), hooks.create({})]);
    expect(apis.size).toBe(1);
    host.config = { get: (key) => ({ "tensorpool:explicit": "true", "tensorpool:apiKey": "k2" })[key] };
    await hooks.create({});
    expect(apis.size).toBe(2);
  });

  test("no leave to buy when the engine does not answer", async () => {
    const { hooks, engine } = world(({ mayBuy }) => mayBuy());
    await expect(hooks.create({})).resolves.toMatchObject({ id: "c-1" });
    engine.isGone = true;
    await expect(hooks.create({})).rejects.toThrow("Nothing was sent");
  });

  test("the configuration that came last when configure is overtaken", async () => {
    const keyIds = new Set<string>();
    const { hooks } = world(async ({ keyId }) => void keyIds.add(keyId), { TENSORPOOL_KEY: "" });
    await expect(hooks.create({})).rejects.toThrow("no API key is set");
    const config = { get: (key: string) => (key === "tensorpool:apiKey" ? "k3" : undefined) };
    await hooks.configure({ config } as Parameters<typeof hooks.configure>[0]);
    await hooks.create({});
    expect(keyIds.size).toBe(1);
  });
});

describe("wrap() needs no key", () => {
  test("when check and diff run", async () => {
    const { hooks } = world(async () => undefined, { TENSORPOOL_KEY: "" });
    await expect(hooks.check({}, { a: 1 })).resolves.toEqual({ inputs: { a: 1 }, failures: [] });
    await expect(hooks.diff("c-1", {}, {})).resolves.toEqual({ changes: true, replaces: ["instanceType"] });
  });

  test.for([null, undefined, "text", [1]])(
    "and takes %j for no properties when the host hands that over",
    async (odd) => {
      const { hooks } = world(async () => undefined);
      await expect(hooks.check(odd, odd)).resolves.toEqual({ inputs: {}, failures: [] });
      await expect(hooks.diff("c-1", odd, odd)).resolves.toMatchObject({ changes: true });
      await expect(hooks.create(odd)).resolves.toEqual({ id: "c-1", outs: {} });
    },
  );
});

test("wrap() shows doubts as warnings when check has some", async () => {
  const { hooks, engine } = world(async () => undefined);
  await hooks.check({}, { __urn: URN });
  expect(engine.lines).toEqual([{ severity: "warning", message: "a doubt", urn: URN }]);
});
