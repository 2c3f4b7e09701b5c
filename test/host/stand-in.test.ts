import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProgram, type Program } from "../../tools/program.ts";
import { InitFailed, type Plugin, type Props } from "../engine/plugin.ts";
import { standIn } from "../engine/stand-in.ts";
import { type HostProcess, startHost } from "./host-driver.ts";
import { TRAPS } from "./traps.ts";

/** Nobody answers within this time: the engine would wait for ever. */
const HANGS_MS = 1_500;
const URN = "urn:pulumi:dev::chaos::pulumi-nodejs:dynamic/tensorpool:Cluster::c";

let program: Program;
let host: HostProcess;
let model: Plugin;

beforeAll(async () => {
  program = await createProgram({ "index.ts": "", "traps.cjs": TRAPS });
  host = await startHost({ folder: program.folder, callLimitMs: HANGS_MS });
  model = standIn({ hooks: createRequire(join(program.folder, "index.js"))("./traps.cjs") });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
});

const CALLS: Readonly<Record<string, (plugin: Plugin, props: Props) => Promise<unknown>>> = {
  check: (plugin, props) => plugin.check(URN, {}, props),
  "check with olds": (plugin, props) => plugin.check(URN, props, { ...props, a: 2 }),
  diff: (plugin, props) => plugin.diff(URN, "x-1", props, props),
  "diff of a change": (plugin, props) => plugin.diff(URN, "x-1", props, { ...props, a: 9 }),
  create: (plugin, props) => plugin.create(URN, props),
  update: (plugin, props) => plugin.update(URN, "x-1", props, { ...props, a: 2 }),
  read: (plugin, props) => plugin.read(URN, "x-1", props),
  delete: (plugin, props) => plugin.delete(URN, "x-1", props),
};

async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  const late = new Promise((resolve) =>
    setTimeout(() => resolve({ error: "nobody answered" }), HANGS_MS + 500).unref(),
  );
  try {
    return await Promise.race([call, late]);
  } catch (error) {
    if (error instanceof InitFailed) {
      const { message, id, properties, reasons } = error;
      return { message, id, properties, reasons };
    }
    return { error: error instanceof Error ? error.message : error };
  }
}

const KINDS = ["plain", "bare", "failures", "throws", "partial", "sparse", "unclean", "odd", "hangs", "missing"];

test.for(KINDS.flatMap((kind) => Object.keys(CALLS).map((call) => [kind, call] as const)))(
  "standIn() gives the engine what the Node host gives it, for the provider %s and the call %s",
  async ([kind, name]) => {
    const props = { a: 1, b: { c: ["d"] }, __provider: `exports.handler=()=>require("./traps.cjs").${kind}` };
    const call = CALLS[name];
    if (call === undefined) throw new RangeError(`Cannot find the call ${name}`);
    const [real, modelled] = await Promise.all([outcomeOf(call(host.plugin, props)), outcomeOf(call(model, props))]);
    expect(modelled).toStrictEqual(real);
  },
);

test.for(Object.keys(CALLS))(
  "standIn() fails as the Node host does for the call %s without __provider",
  async (name) => {
    const [real, modelled] = await Promise.all([
      outcomeOf(CALLS[name]?.(host.plugin, { a: 1 }) ?? Promise.resolve()),
      outcomeOf(CALLS[name]?.(model, { a: 1 }) ?? Promise.resolve()),
    ]);
    expect(modelled).toStrictEqual(real);
  },
);
