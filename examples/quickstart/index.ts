import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { Config } from "@pulumi/pulumi";
import { Cluster, SshKey } from "pulumi-tensorpool";

// pulumi config set publicKey "ssh-ed25519 AAAA… me@laptop", or the key that ssh-keygen writes by default.
const publicKey = new Config().get("publicKey") ?? readFileSync(`${homedir()}/.ssh/id_ed25519.pub`, "utf8").trim();

const key = new SshKey("me", { publicKey });
const cluster = new Cluster("quickstart", { instanceType: "1xH100", sshKeyId: key.id });

export const clusterId = cluster.id;
export const addresses = cluster.instances.apply((all) => all?.map((one) => one.ipAddress));
