import * as pulumi from "@pulumi/pulumi";
import { Cluster, type ClusterArgs, SshKey, StorageVolume } from "pulumi-tensorpool";
import { expect, test, vi } from "vitest";
import { runProgram } from "./program.ts";

const args: ClusterArgs = { instanceType: "1xH100", publicKeys: ["k"] };
/** Everything that the package adds to a resource's inputs and outputs, and no user wants to see in a diff. */
const HIDDEN = [
  "__provider",
  "__urn",
  "__seed",
  "__side",
  "timeouts",
  "__pending",
  "__keyId",
  "__objectId",
  "__open",
  "__resolved",
];

async function optionsOf(opts?: pulumi.CustomResourceOptions): Promise<Readonly<Record<string, unknown>>> {
  const { named } = await runProgram(() => void new Cluster("c", args, opts));
  return named("c").request;
}

test.for([
  [undefined, true],
  [{ deleteBeforeReplace: undefined }, true],
  [{ deleteBeforeReplace: true }, true],
  [{ deleteBeforeReplace: false }, false],
] as const)("Cluster() with options %o registers deleteBeforeReplace %o, defined", async ([opts, expected]) => {
  const request = await optionsOf(opts as pulumi.CustomResourceOptions | undefined);
  expect(request).toMatchObject({ deletebeforereplace: expected, deletebeforereplacedefined: true });
});

test("Cluster() hides the package's own keys, beside those that the program hides", async () => {
  const { hidediffsList } = await optionsOf({ hideDiffs: ["createdAt"] });
  expect(hidediffsList).toEqual([...HIDDEN, "createdAt"]);
});

test("Seed() hides its frozen text", async () => {
  const { named } = await runProgram(() => void new StorageVolume("v", { sizeGb: 1 }));
  expect(named("tensorpool-seed").request["hidediffsList"]).toEqual(["__provider"]);
});

test.for([
  [undefined, undefined],
  [false, undefined],
  [true, true],
])(
  "the Seed knows, with retainOnDelete %s of any resource, whether something may outlive the stack",
  async ([retainOnDelete, expected]) => {
    const { named } = await runProgram(() => {
      new StorageVolume("first", { sizeGb: 1 });
      new Cluster("second", args, retainOnDelete === undefined ? {} : { retainOnDelete });
    });
    expect(named("tensorpool-seed").inputs["mayLeave"]).toBe(expected);
  },
);

test("Cluster() hands every other option on to the engine", async () => {
  const { named } = await runProgram(() => {
    const other = new SshKey("k", { publicKey: "ssh-ed25519 AAAA" });
    new Cluster("c", args, {
      protect: true,
      retainOnDelete: true,
      ignoreChanges: ["sshKeyId"],
      aliases: [{ name: "old" }],
      dependsOn: [other],
      customTimeouts: { create: "2h" },
      additionalSecretOutputs: ["instances"],
      deletedWith: other,
    });
  });
  expect(named("c").request).toMatchObject({
    protect: true,
    retainondelete: true,
    ignorechangesList: ["sshKeyId"],
    aliasesList: [{ spec: { name: "old" } }],
    dependenciesList: expect.arrayContaining([expect.stringMatching(/::k$/)]),
    customtimeouts: { create: "2h" },
    additionalsecretoutputsList: ["instances"],
    deletedwith: expect.stringMatching(/::k$/),
  });
});

test("Cluster() uses the explicit provider that it or its parent is given", async () => {
  class Provider extends pulumi.ProviderResource {
    constructor(name: string) {
      super("pulumi-nodejs", name, {});
    }
  }
  const { named } = await runProgram(() => {
    new Cluster("own", args, { provider: new Provider("one") });
    const parent = new pulumi.ComponentResource("test:index:Part", "part", {}, { providers: [new Provider("two")] });
    new Cluster("inherited", args, { parent });
    new Cluster("default", args);
  });
  const providers = ["own", "inherited", "default"].map((name) => named(name).request["provider"]);
  expect(providers).toEqual([expect.stringMatching(/::one::one-id$/), expect.stringMatching(/::two::two-id$/), ""]);
});

test("Cluster() leaves the options object alone", async () => {
  const opts: pulumi.CustomResourceOptions = Object.freeze({
    hideDiffs: Object.freeze(["status"]) as string[],
    customTimeouts: Object.freeze({ create: "2h" }),
  });
  const before = structuredClone(opts);
  await runProgram(() => {
    new Cluster("one", args, opts);
    new Cluster("two", args, opts);
  });
  expect(opts).toEqual(before);
});

test("Cluster() warns when replaceOnChanges is given, which has no effect", async () => {
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
  await optionsOf({ replaceOnChanges: ["name"] });
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    "replaceOnChanges has no effect on Cluster: Pulumi ignores it for dynamic resources",
  ]);
  warn.mockRestore();
});
