import { Config } from "@pulumi/pulumi";
import { SshKey } from "pulumi-tensorpool";
import { TrainingCluster } from "./training-cluster.ts";

const config = new Config();
const key = new SshKey("team", { publicKey: config.require("publicKey") });
const dataName = config.get("dataName");

const training = new TrainingCluster("train", {
  instanceType: "8xH200",
  nodes: 2,
  sshKeyId: key.id,
  dataGb: config.getNumber("dataGb") ?? 500,
  ...(dataName === undefined ? {} : { dataName }),
});

export const clusterId = training.clusterId;
export const mountPath = training.mountPath;
