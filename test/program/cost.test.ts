import * as pulumi from "@pulumi/pulumi";
import { Cluster, type CostEstimate, estimateCost, StorageVolume } from "pulumi-tensorpool";
import { beforeEach, expect, test, vi } from "vitest";
import { valueOf } from "./program.ts";

const PRICES: Readonly<Record<string, number>> = { "8xH200": 40, "1xH100": 2 };
let told: string[];
/** What a program does while the quote for this type is asked for. */
let meanwhile: Record<string, () => void>;

beforeEach(() => {
  told = [];
  meanwhile = {};
  vi.spyOn(pulumi.log, "info").mockImplementation(async (message) => void told.push(message));
  vi.spyOn(pulumi.log, "warn").mockImplementation(async (message) => void told.push(`WARNING ${message}`));
});

/** Runs a program in a stack of its own, where `call` answers the quotes; unknown types have none. */
async function run(program: () => Promise<pulumi.Output<CostEstimate>>): Promise<{ cost: CostEstimate }> {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: { numNodes: 1, ...inputs } }),
    call({ token, inputs }) {
      expect(token).toBe("tensorpool:index:getQuote");
      meanwhile[inputs["instanceType"]]?.();
      return { hourlyUsd: inputs["sizeGb"] === undefined ? PRICES[inputs["instanceType"]] : inputs["sizeGb"] / 1_000 };
    },
  });
  let cost: pulumi.Output<CostEstimate> | undefined;
  await pulumi.runtime.runInPulumiStack(async () => {
    cost = await program();
    // An exported estimate is part of what the stack waits for.
    return { cost };
  });
  await idle();
  return { cost: (await valueOf(cost)) as CostEstimate };
}

/** Resolves when the run waits for nothing more. */
const idle = (): Promise<void> => (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();

const cluster = (name: string, instanceType: "8xH200" | "1xH100" | "8xNEW1"): Cluster =>
  new Cluster(name, { instanceType, publicKeys: ["k"] });

test("estimateCost() adds up what the program declares, also after it, and says what has no price", async () => {
  const { cost } = await run(async () => {
    const first = cluster("first", "8xH200");
    const output = estimateCost();
    first.id.apply(() => cluster("later", "1xH100"));
    new StorageVolume("data", { sizeGb: 500 });
    cluster("priceless", "8xNEW1");
    Cluster.get("of-others", "c-1");
    return output;
  });
  expect(cost).toMatchObject({ hourlyUsd: 42.5, monthlyUsd: 42.5 * 730, isComplete: false });
  expect(cost.breakdown.map(({ name, hourlyUsd }) => [name, hourlyUsd])).toEqual([
    ["first", 40],
    ["data", 0.5],
    ["priceless", undefined],
    ["later", 2],
  ]);
  expect(told).toEqual([
    "Estimated cost: 42.50 USD an hour, 31025.00 USD a month (3 of 4 resources; not in it: priceless: there is no quote)",
  ]);
});

test("estimateCost() gives sums without the digits that adding has made", async () => {
  const { cost } = await run(async () => {
    for (const sizeGb of [100, 200]) new StorageVolume(`data-${sizeGb}`, { sizeGb });
    return estimateCost();
  });
  expect(cost).toMatchObject({ hourlyUsd: 0.3, monthlyUsd: 219 });
});

test("estimateCost() logs the total of the program's end when its own code goes on for a while", async () => {
  await run(async () => {
    cluster("first", "8xH200");
    const output = estimateCost();
    await valueOf(output);
    cluster("second", "8xH200");
    return output;
  });
  expect(told).toEqual(["Estimated cost: 80.00 USD an hour, 58400.00 USD a month (2 resources)"]);
});

test("estimateCost() is told once however often it is called, and the lowest limit holds", async () => {
  await run(async () => {
    cluster("first", "8xH200");
    estimateCost({ maxHourlyUsd: 30 });
    estimateCost({ maxHourlyUsd: 50 });
    return estimateCost();
  });
  expect(told).toEqual([
    "Estimated cost: 40.00 USD an hour, 29200.00 USD a month (1 resource)",
    expect.stringMatching(
      /^WARNING maxHourlyUsd 30 of estimateCost is exceeded: the program's resources cost 40.00 USD/,
    ),
  ]);
});

test("estimateCost() holds a limit that comes when all else is told", async () => {
  await run(async () => {
    cluster("first", "8xH200");
    return estimateCost();
  });
  estimateCost({ maxHourlyUsd: 30 });
  await idle();
  expect(told.at(-1)).toMatch(/^WARNING maxHourlyUsd 30 of estimateCost is exceeded/);
});

test("estimateCost() counts what is declared, and holds what limit is given, while quotes are asked for", async () => {
  meanwhile = {
    "8xNEW1": () => {
      cluster("third", "1xH100");
      estimateCost({ maxHourlyUsd: 30 });
    },
  };
  await run(async () => {
    cluster("first", "8xH200");
    const output = estimateCost();
    await valueOf(output);
    // Only the total of the program's end asks for this one.
    cluster("second", "8xNEW1");
    return output;
  });
  expect(told.filter((line) => line.startsWith("Estimated") || line.startsWith("WARNING Estimated"))).toEqual([
    expect.stringContaining("Estimated cost: 40.00 USD"),
    expect.stringContaining("Estimated cost: 42.00 USD"),
  ]);
  expect(told.at(-1)).toMatch(/^WARNING maxHourlyUsd 30 of estimateCost is exceeded/);
});

test("estimateCost() refuses no sum for its last digit", async () => {
  await run(async () => {
    for (const sizeGb of [100, 200]) new StorageVolume(`data-${sizeGb}`, { sizeGb });
    return estimateCost({ maxHourlyUsd: 0.3 });
  });
  expect(told).toEqual([expect.stringMatching(/^Estimated cost: 0.3000 /)]);
});

test("estimateCost() warns of a total that its limit cannot be held against", async () => {
  await run(async () => {
    cluster("priceless", "8xNEW1");
    return estimateCost({ maxHourlyUsd: 30 });
  });
  expect(told).toEqual([expect.stringMatching(/^WARNING Estimated cost: .*not in it: priceless/)]);
});

test("estimateCost() of one stack counts nothing of another in the same process", async () => {
  for (const name of ["one", "two"]) {
    const { cost } = await run(async () => {
      cluster(name, "1xH100");
      return estimateCost();
    });
    expect(cost.breakdown.map((one) => one.name)).toEqual([name]);
  }
});

test.for([0, -5, Number.NaN, Number.POSITIVE_INFINITY])("estimateCost() refuses maxHourlyUsd %d", (maxHourlyUsd) => {
  expect(() => estimateCost({ maxHourlyUsd })).toThrow(RangeError);
});
