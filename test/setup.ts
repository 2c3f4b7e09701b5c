import { execFileSync } from "node:child_process";
import { findPulumi } from "../tools/pulumi.ts";

/** What the tests of the built package need: the build of today's source, and a Pulumi CLI. */
export default async function setup(): Promise<void> {
  execFileSync("npm", ["run", "build"], { stdio: "inherit" });
  await findPulumi();
}
