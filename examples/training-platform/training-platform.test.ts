import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { TrainingPlatform, type TrainingPlatformArgs } from "./training-platform.ts";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJfcPTn8OWvZ0JvjTQ ops@example.com";
const ARGS: TrainingPlatformArgs = {
  instanceType: "8xH200",
  nodes: 2,
  operatorKey: KEY,
  volumes: { datasets: 500, checkpoints: 200 },
};

/** What the tests declare, by name: each test has a platform of its own name. */
const declared = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource({ name, type, inputs }) {
      declared.set(name, inputs);
      const shown = type.endsWith(":Cluster")
        ? { instances: [{ id: "i-1", ipAddress: "203.0.113.1" }, { id: "i-2" }] }
        : { mountPath: `/mnt/${name}-id` };
      return { id: `${name}-id`, state: { ...inputs, ...shown } };
    },
    call: ({ inputs }) => inputs,
  });
});

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}

test("declares a cluster, and each volume with its attachment", async () => {
  const platform = new TrainingPlatform("lab", ARGS);
  expect(await valueOf(platform.clusterId)).toBe("lab-nodes-id");
  expect(await valueOf(platform.addresses)).toEqual(["203.0.113.1"]);
  expect(await valueOf(platform.mountPaths)).toEqual({
    datasets: "/mnt/lab-datasets-id",
    checkpoints: "/mnt/lab-checkpoints-id",
  });
  expect(declared.get("lab-nodes")).toMatchObject({
    instanceType: "8xH200",
    numNodes: 2,
    sshKeyId: "lab-operator-id",
    deletionProtection: false,
  });
  expect(declared.get("lab-datasets-on-nodes")).toMatchObject({
    clusterId: "lab-nodes-id",
    storageId: "lab-datasets-id",
  });
  expect(declared.get("lab-checkpoints")).toMatchObject({ sizeGb: 200 });
});

test("declares nothing but the cluster and its key when there is no more to it", async () => {
  const platform = new TrainingPlatform("small", { instanceType: "1xH100", operatorKey: KEY });
  expect(await valueOf(pulumi.all([platform.clusterId, platform.mountPaths]))).toEqual(["small-nodes-id", {}]);
  expect([...declared.keys()].filter((name) => name.startsWith("small-")).sort()).toEqual([
    "small-nodes",
    "small-operator",
  ]);
  expect(declared.get("small-nodes")).not.toHaveProperty("publicKeys");
});

test("puts the team's keys on the nodes beside the operators'", async () => {
  const platform = new TrainingPlatform("team", { ...ARGS, team: [`${KEY}2`] });
  await valueOf(platform.clusterId);
  expect(declared.get("team-nodes")).toMatchObject({ sshKeyId: "team-operator-id", publicKeys: [`${KEY}2`] });
});

test("gives the cluster its limit of cost", async () => {
  await valueOf(new TrainingPlatform("capped", { ...ARGS, maxHourlyUsd: 50 }).clusterId);
  expect(declared.get("capped-nodes")).toMatchObject({ maxHourlyUsd: 50 });
});

test("protects at the API what is production", async () => {
  await valueOf(new TrainingPlatform("prod", { ...ARGS, production: true }).mountPaths);
  for (const name of ["prod-nodes", "prod-datasets", "prod-checkpoints"]) {
    expect(declared.get(name)).toMatchObject({ deletionProtection: true });
  }
});
