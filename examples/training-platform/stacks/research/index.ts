import { Config } from "@pulumi/pulumi";
import { estimateCost } from "pulumi-tensorpool";
import { TrainingPlatform } from "tensorpool-training-platform";

const config = new Config();
const platform = new TrainingPlatform("research", {
  instanceType: "32xCPU",
  operatorKey: config.require("operatorKey"),
  volumes: { datasets: 500 },
  maxHourlyUsd: config.getNumber("maxHourlyUsd") ?? 1,
});
// All of it together: a preview of more fails, and tells the total.
estimateCost({ maxHourlyUsd: 2 });

export const { clusterId, addresses, mountPaths } = platform;
