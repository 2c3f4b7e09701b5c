import { describe, expect, test } from "vitest";
import { CLUSTER, VOLUME } from "./args.ts";
import { urnOf } from "./process.ts";
import { type Line, startWorld, type World } from "./world.ts";

/** The longest time between two of `lines`, and between the first of all lines and the first of them, in seconds. */
function longestGap(world: World, lines: readonly Line[], endMs: number): number {
  const times = [world.lines[0]?.atMs ?? 0, ...lines.map(({ atMs }) => atMs), endMs];
  return Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs))) / 1_000;
}

const onRow = ({ isEphemeral, message }: Line): boolean => isEphemeral === true && !message.startsWith("about to");
const plain = ({ isEphemeral }: Line): boolean => isEphemeral !== true;

const LONG = { operationSeconds: 300, retryAfterSeconds: 47 };

describe("progress", () => {
  test("is shown on the resource's row at every change and at least every 10 s", async () => {
    await using world = await startWorld(LONG);
    await world.run(world.start().make("cluster", "train", CLUSTER));
    const lines = world.lines.filter(onRow);
    expect(longestGap(world, lines, world.clock.now())).toBeLessThanOrEqual(10);
    expect(new Set(world.lines.map(({ urn }) => urn))).toEqual(new Set([undefined, urnOf("cluster", "train")]));
    expect(lines.every(({ urn }) => urn === urnOf("cluster", "train"))).toBe(true);
    const words = lines.map(({ message }) => message).join("\n");
    expect(words).toMatch(/accepted, request r-\w+, next question in 47 s/);
    expect(words).toMatch(/PENDING, request r-\w+, next question in \d+ s/);
    expect(words).toMatch(/PROCESSING, request r-/);
    expect(words).toContain("RUNNING");
    expect(world.lines.filter(plain)).toEqual([]);
  });

  test.for([{ CI: "true" }, { TENSORPOOL_PROGRESS: "plain" }])(
    "is a plain line at least every 60 s when %o",
    async (env) => {
      await using world = await startWorld(LONG);
      const up = world.start({ env });
      const made = await world.run(up.make("cluster", "train", CLUSTER));
      const lines = world.lines.filter(plain);
      expect(longestGap(world, lines, world.clock.now())).toBeLessThanOrEqual(60);
      expect(lines[0]?.message).toMatch(/^creating for \d+ s: .*request r-/);
      expect(lines.every(({ severity, urn }) => severity === "info" && urn === urnOf("cluster", "train"))).toBe(true);
      const many = lines.length;
      await world.run(up.destroy(made));
      expect(world.lines.filter(plain)[many]?.message).toMatch(/^deleting for \d+ s: /);
    },
  );

  test("goes on while the server is limited, silent or looked at for a lost create", async () => {
    const on = "POST /storage/create";
    await using world = await startWorld({
      faults: [
        { kind: "slow", seconds: 25, on },
        { kind: "too-many", retryAfter: 40, on: "GET /request/info/{id}" },
      ],
    });
    await world.run(world.start().make("storageVolume", "data", VOLUME));
    expect(longestGap(world, world.lines.filter(onRow), world.clock.now())).toBeLessThanOrEqual(10);
  });

  test("ends with the operation", async () => {
    await using world = await startWorld();
    await world.run(world.start().make("cluster", "train", CLUSTER));
    const many = world.lines.length;
    await world.clock.advance(600_000);
    expect(world.lines).toHaveLength(many);
    expect(world.clock.sleepers).toBe(0);
  });

  test("leaves no waiting on the row of what is done", async () => {
    await using world = await startWorld();
    const up = world.start();
    const last = (): string | undefined => world.lines.filter(onRow).at(-1)?.message;
    const cluster = await world.run(up.make("cluster", "train", CLUSTER));
    expect(last()).toBe("RUNNING");
    const volume = await world.run(up.make("storageVolume", "data", VOLUME));
    expect(last()).toBe("READY");
    const { kept: grown } = await world.run(up.again(volume, { ...VOLUME, sizeGb: 900 }));
    expect(last()).toBe("sizeGb is changed");
    const ends = { clusterId: cluster.id, storageId: volume.id };
    const attachment = await world.run(up.make("storageAttachment", "both", ends));
    expect(last()).toBe("attached");
    await world.run(up.destroy(attachment));
    expect(last()).toBe("detached");
    await world.run(up.destroy(grown));
    expect(last()).toBe("destroyed");
  });

  test.for(["", "not a URN", "urn:pulumi:dev"])(
    "is told without a URN that the CLI would crash on: %j",
    async (__urn) => {
      await using world = await startWorld(LONG);
      await world.run(world.start().make("cluster", "train", { ...CLUSTER, name: "mine", __urn }));
      expect(world.lines.filter(({ urn }) => urn !== undefined)).toEqual([]);
      expect(world.lines.filter(onRow).every(({ message }) => message.startsWith("mine: "))).toBe(true);
    },
  );

  test("is told with the new URN after a rename in the program", async () => {
    await using world = await startWorld();
    const up = world.start();
    const made = await world.run(up.make("storageVolume", "data", VOLUME));
    world.lines.length = 0;
    await world.run(up.again({ ...made, name: "renamed" }, { sizeGb: 900 }));
    expect(new Set(world.lines.map(({ urn }) => urn))).toEqual(new Set([urnOf("storageVolume", "renamed")]));
  });
});

test("an instance type that nobody knows is a warning, and the server decides", async () => {
  await using world = await startWorld();
  const making = world.run(world.start().make("cluster", "train", { ...CLUSTER, instanceType: "8xH201" }));
  await expect(making).rejects.toThrow(/422: .*Unknown instance type 8xH201/);
  expect(world.lines.filter(({ severity }) => severity === "warning")).toMatchObject([
    { message: expect.stringMatching(/"8xH201" .*did you mean 8xH200/), urn: urnOf("cluster", "train") },
  ]);
});
