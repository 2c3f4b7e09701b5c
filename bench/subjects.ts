import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { providerText } from "../provider/frozen.ts";
import type { Subject } from "./row.ts";
import { provider as handWritten } from "./subjects/hand-written/cluster.ts";
import { provider as withPRetry } from "./subjects/p-retry/cluster.ts";

/** The subjects that are Pulumi programs. */
export type ProgramSubject = Exclude<Subject, "D">;

export const FOLDERS: Readonly<Record<ProgramSubject, string>> = {
  A: folder("package"),
  B: folder("hand-written"),
  C: folder("p-retry"),
  E: folder("empty"),
};

/** The three that buy clusters through Pulumi. */
export const BUYERS = ["A", "B", "C"] as const;
export type Buyer = (typeof BUYERS)[number];

/** Makes the properties that the engine hands to `create` for the `index`-th cluster. */
export type Properties = (index: number) => Record<string, unknown>;

export async function propertiesOf(subject: Buyer): Promise<Properties> {
  const text = await providerTextOf(subject);
  const publicKeys = [`ssh-ed25519 ${"A".repeat(68)} me@laptop`];
  return (index) => ({
    name: `train-${index}`,
    instanceType: "1xH100",
    publicKeys,
    __provider: text,
    ...(subject === "A" && {
      numNodes: 1,
      deletionProtection: false,
      __seed: "0123456789ab",
      __urn: `urn:pulumi:bench::bench::pulumi-nodejs:dynamic/tensorpool:Cluster::train-${index}`,
    }),
  });
}

const texts = new Map<Buyer, Promise<string>>();

/** Serialized once: Pulumi's serializer is not made to run twice at a time. */
function providerTextOf(subject: Buyer): Promise<string> {
  const text = texts.get(subject) ?? serialized(subject);
  texts.set(subject, text);
  return text;
}

async function serialized(subject: Buyer): Promise<string> {
  if (subject === "A") return providerText("cluster");
  const provider = subject === "B" ? handWritten : withPRetry;
  return (await pulumi.runtime.serializeFunction(() => provider)).text;
}

function folder(name: string): string {
  return path.join(import.meta.dirname, "subjects", name);
}
