import { Config } from "@pulumi/pulumi";
import { TrainingPlatform } from "tensorpool-training-platform";

const platform = new TrainingPlatform("research", {
  instanceType: "32xCPU",
  operatorKey: new Config().require("operatorKey"),
  volumes: { datasets: 500 },
});

export const { clusterId, addresses, mountPaths } = platform;
