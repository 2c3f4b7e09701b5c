import * as pulumi from "@pulumi/pulumi";
import { Cluster, SshKey, StorageVolume, type StorageVolumeArgs } from "pulumi-tensorpool";
import { expect, test } from "vitest";
import { runProgram, SEED, valueOf } from "./program.ts";

const args: StorageVolumeArgs = { sizeGb: 1 };

class Component extends pulumi.ComponentResource {
  constructor(type: string, name: string, opts?: pulumi.ComponentResourceOptions) {
    super(`test:index:${type}`, name, {}, opts);
  }
}
class Provider extends pulumi.ProviderResource {
  constructor(name: string) {
    super("pulumi-nodejs", name, {});
  }
}

// Each makes a volume with options of its own.
const URNS: Readonly<Record<string, () => StorageVolume>> = {
  "it has no parent": () => new StorageVolume("v", args),
  "its parent is a component in a component": () => {
    const outer = new Component("Outer", "outer");
    const inner = new Component("Inner", "inner", { parent: outer });
    return new StorageVolume("v", args, { parent: inner });
  },
  "its parent is another resource": () =>
    new StorageVolume("v", args, { parent: new SshKey("k", { publicKey: "ssh-ed25519 AAAA" }) }),
  "its parent is the stack": () => {
    const parent = pulumi.runtime.getStackResource();
    return new StorageVolume("v", args, parent === undefined ? {} : { parent });
  },
  "it has an explicit provider": () => new StorageVolume("v", args, { provider: new Provider("p") }),
  "it has an alias": () => new StorageVolume("v", args, { aliases: [{ name: "old" }] }),
};

test.for(Object.keys(URNS))("__urn is the URN that the engine gives when %s", { timeout: 5_000 }, async (when) => {
  const { result, named } = await runProgram(() => URNS[when]?.());
  expect(named("v").inputs["__urn"]).toBe(await valueOf(result?.urn));
});

test("__urn waits for nothing of its parent but its URN, so a component may wait for its child", async () => {
  class Waiting extends pulumi.ComponentResource {
    constructor() {
      super("test:index:Waiting", "waiting");
      const child = new StorageVolume("v", args, { parent: this });
      this.registerOutputs({ path: child.mountPath });
    }
  }
  const { named } = await runProgram(() => {
    const component = new Waiting();
    new StorageVolume("after", args, { dependsOn: component });
  });
  expect(named("v").request["dependenciesList"]).not.toContain(named("v").request["parent"]);
  expect(named("after").inputs["__seed"]).toBe(SEED);
});

test("all resources of a stack share one Seed, which has neither parent nor provider of theirs", async () => {
  const { registrations, named } = await runProgram(() => {
    const parent = new Component("Outer", "outer");
    new Cluster("c", { instanceType: "1xH100", publicKeys: ["k"] }, { parent, provider: new Provider("p") });
    new StorageVolume("v", args);
    new StorageVolume("w", args, { provider: new Provider("q") });
  });
  expect(registrations.filter(({ type }) => type.endsWith(":Seed"))).toHaveLength(1);
  expect(named("tensorpool-seed").request).toMatchObject({ provider: "" });
  expect(named("tensorpool-seed").request["parent"]).toBe(named("v").request["parent"]);
  expect(["c", "v", "w"].map((name) => named(name).inputs["__seed"])).toEqual([SEED, SEED, SEED]);
});

test("each stack that runs in one process has a Seed of its own", async () => {
  for (const project of ["one", "two"]) {
    const { named } = await runProgram(() => void new StorageVolume("v", args), project);
    expect(named("tensorpool-seed").name).toBe("tensorpool-seed");
  }
});

test.for<[pulumi.CustomTimeouts, Record<string, number>]>([
  [{ create: "1h30m" }, { create: 5400 }],
  [
    { create: "90s", update: "1.5h", delete: "1m0.5s" },
    { create: 90, update: 5400, delete: 60.5 },
  ],
  [{ create: "2h45m30s500ms" }, { create: 9930.5 }],
])("customTimeouts %o become the input timeouts %o, in seconds", async ([customTimeouts, timeouts]) => {
  const { named } = await runProgram(() => void new StorageVolume("v", args, { customTimeouts }));
  expect(named("v").inputs["timeouts"]).toEqual(timeouts);
});

test.for([undefined, {}, { create: undefined }])(
  "there is no input timeouts when customTimeouts is %o",
  async (none) => {
    const options = { customTimeouts: none } as pulumi.CustomResourceOptions;
    const { named } = await runProgram(() => void new StorageVolume("v", args, options));
    expect(named("v").inputs).not.toHaveProperty("timeouts");
  },
);

test.for(["an hour", "30", "", "-5m", "0s", "5 m", "1h 30m", "1d"])(
  "StorageVolume() throws at program time when customTimeouts.create is %j",
  async (create) => {
    const { registrations } = await runProgram(() => {
      const volume = (): StorageVolume => new StorageVolume("v", args, { customTimeouts: { create } });
      expect(volume).toThrow(TypeError);
      expect(volume).toThrow(
        `Cannot use customTimeouts.create "${create}": expected a duration longer than 0, such as`,
      );
    });
    expect(registrations).toEqual([]);
  },
);

test.for([
  [undefined, undefined],
  [true, undefined],
  [false, true],
])("with deleteBeforeReplace %o the input __side is %o", async ([deleteBeforeReplace, side]) => {
  const options = deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace };
  const { named } = await runProgram(() => void new StorageVolume("v", args, options));
  expect(named("v").inputs["__side"]).toBe(side);
});
