import { Config } from "@pulumi/pulumi";
import { TrainingPlatform } from "tensorpool-training-platform";

const config = new Config();
const platform = new TrainingPlatform("production", {
  instanceType: "8xH200",
  nodes: config.getNumber("nodes") ?? 2,
  operatorKey: config.require("operatorKey"),
  team: config.getObject<string[]>("team") ?? [],
  volumes: { datasets: 2000, checkpoints: 1000 },
  maxHourlyUsd: 60,
  // To take it down: set it to false, pulumi up, pulumi destroy.
  production: config.getBoolean("protected") ?? true,
});

export const { clusterId, addresses, mountPaths } = platform;
