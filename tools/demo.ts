/**
 * The whole story in one terminal, with the real CLI and no account: create, crash and resume, no change, edit, drift,
 * destroy. Ends with exit code 0 only if every step did what it says, and nothing is billed at the end.
 */

import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { createStack, type Stack } from "../test/cli/cli.ts";
import { startEmulator } from "../test/emulator/index.ts";
import type { CommandResult } from "./process.ts";

const PUBLIC_KEY = `ssh-ed25519 ${"A".repeat(68)} demo@example`;

function say(text: string): void {
  process.stdout.write(`\n\u001b[1m== ${text}\u001b[0m\n`);
}

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Cannot go on with the demo: expected that ${what}`);
  process.stdout.write(`   ok: ${what}\n`);
}

function succeeded({ code }: CommandResult, what: string): void {
  expect(code === 0, `${what} succeeds`);
}

await using api = await startEmulator({ operationSeconds: 4, retryAfterSeconds: 1 });
const bought = (kind: "cluster" | "volume"): string[] =>
  api.ledger().everBilled.flatMap((one) => (one.kind === kind ? one.id : []));
const billedNow = (): string =>
  api
    .ledger()
    .billed.map(({ kind, id, name }) => `${kind} ${id} "${name}"`)
    .join(", ");

async function upKilledInTheMiddle(stack: Stack): Promise<void> {
  const up = stack.spawn(["up"]);
  while (bought("cluster").length === 0) await setTimeout(20);
  for (const pid of [...up.descendants(), up.pid ?? 0]) process.kill(pid, "SIGKILL");
  await up.done;
}

process.stdout.write(`The emulator of the TensorPool API listens on ${api.url}; operations take 4 seconds there.\n`);
await using stack = await createStack({
  program: path.join(import.meta.dirname, "../examples/training-cluster"),
  env: { TENSORPOOL_ENGINE: api.url, TENSORPOOL_KEY: "test-key", TENSORPOOL_PROGRESS: "plain" },
  config: { publicKey: PUBLIC_KEY, dataGb: "500" },
  hasColors: process.stdout.isTTY || "FORCE_COLOR" in process.env,
  onOutput: (text) => process.stdout.write(text),
});

say("pulumi up, and kill -9 of everything while the cluster is being created");
await upKilledInTheMiddle(stack);
expect(bought("cluster").length === 1, "one cluster has been bought, and no state knows of it");

say("pulumi cancel (a kill leaves the stack locked), then pulumi up: it finds its own cluster by name");
succeeded(await stack.cancel(), "pulumi cancel");
succeeded(await stack.up(), "pulumi up");
expect(bought("cluster").length === 1 && bought("volume").length === 1, "one cluster and one volume were ever bought");

say("pulumi refresh --clear-pending-creates: everything is there, so Pulumi need not warn of the kill any more");
succeeded(await stack.refresh(["--clear-pending-creates"]), "pulumi refresh");

say("pulumi up again: nothing to do");
succeeded(await stack.up(["--expect-no-changes"]), "pulumi up --expect-no-changes");

say("An edit: the volume grows and gets another name, in place");
await stack.run(["config", "set", "dataGb", "800"], { check: true });
await stack.run(["config", "set", "dataName", "training-data"], { check: true });
succeeded(await stack.up(), "pulumi up");
expect(billedNow().includes('"training-data"') && bought("volume").length === 1, "it is the same volume, renamed");

say("Drift: somebody renames the volume behind Pulumi's back; refresh shows it, up mends it");
api.edit(bought("volume")[0] ?? "", { name: "renamed-by-hand" });
const preview = await stack.refresh(["--preview-only", "--diff"]);
succeeded(preview, "pulumi refresh --preview-only");
expect(preview.output.includes("renamed-by-hand"), "the refresh shows the drift");
succeeded(await stack.refresh(), "pulumi refresh");
succeeded(await stack.up(), "pulumi up");
expect(billedNow().includes('"training-data"'), "the name is as the program wants it");

say("pulumi destroy");
succeeded(await stack.destroy(), "pulumi destroy");

const { billed, everBilled, requests } = api.ledger();
say("The emulator's ledger");
process.stdout.write(`   ever billed: ${everBilled.map(({ kind, id }) => `${kind} ${id}`).join(", ")}\n`);
process.stdout.write(`   requests: ${requests.length}, of them polls before their Retry-After was over: `);
process.stdout.write(`${requests.filter(({ early }) => early).length}\n`);
expect(billed.length === 0, "nothing is billed any more");
expect(
  requests.every(({ early }) => !early),
  "no poll came earlier than the API allows",
);
