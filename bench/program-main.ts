/**
 * Constructs 500 clusters of one subject under Pulumi's mocks, in a fresh process whose SDK is loaded already. Prints
 * milliseconds as JSON: for the import of the package, the first constructor, the first resource until the SDK sends it
 * to the engine, and the 500th constructor.
 */
import * as pulumi from "@pulumi/pulumi";
import { median } from "./row.ts";
import type { Buyer } from "./subjects.ts";

const PATHS: Readonly<Record<Buyer, string>> = {
  A: "pulumi-tensorpool",
  B: "./subjects/hand-written/cluster.ts",
  C: "./subjects/p-retry/cluster.ts",
};
const subject = process.argv[2];
if (subject !== "A" && subject !== "B" && subject !== "C") throw new RangeError(`Cannot measure "${subject}"`);

const registered = Promise.withResolvers<number>();
await pulumi.runtime.setMocks({
  newResource({ name, inputs }) {
    if (name === "train-0") registered.resolve(performance.now());
    return { id: name, state: inputs };
  },
  call: ({ inputs }) => inputs,
});
const beforeMs = performance.now();
const { Cluster } = await import(PATHS[subject]);
const importMs = performance.now() - beforeMs;
const firstAtMs = performance.now();
const firstMs = constructed(0);
const registeredMs = (await registered.promise) - firstAtMs;
const takenMs = Array.from({ length: 499 }, (_, index) => constructed(index + 1));
// One constructor alone may be hit by the garbage collector: the median of the last hundred stands for the 500th.
const lastMs = median(takenMs.slice(-100));
process.stdout.write(JSON.stringify({ importMs, firstMs, registeredMs, lastMs }));

function constructed(index: number): number {
  const sinceMs = performance.now();
  new Cluster(`train-${index}`, { name: `train-${index}`, instanceType: "1xH100", publicKeys: ["ssh-ed25519 AAAA"] });
  return performance.now() - sinceMs;
}
