import type { Fault } from "../emulator/index.ts";
import { outcomeOf } from "./outcome.ts";
import { startWorld } from "./world.ts";

/** Trouble that meets a create, and how the README calls it. */
const TROUBLES: readonly (readonly [string, Fault])[] = [
  ["The answer to the create is lost, the server has acted", { kind: "lost-answer", on: "POST /cluster/create" }],
  ["The create is reset before the server acts", { kind: "reset", on: "POST /cluster/create" }],
  ["500 after the server has acted", { kind: "acted-status", status: 500, on: "POST /cluster/create" }],
  ["The answer is no JSON", { kind: "broken-json", on: "POST /cluster/create" }],
  ["429 to the create", { kind: "too-many", retryAfter: 20, on: "POST /cluster/create" }],
  [
    "402, no balance",
    { kind: "status", status: 402, body: { message: "Insufficient balance" }, on: "POST /cluster/create" },
  ],
  ["The lists cannot be read before the create", { kind: "status", times: "always", on: "GET /cluster/list" }],
  ["Polls answer 503 for a while", { kind: "status", times: 8, on: "GET /request/info/{request_id}" }],
  ["The operation is stuck beyond the time limit", { kind: "stuck", seconds: 300, on: "POST /cluster/create" }],
  [
    "A status that nobody has documented",
    { kind: "unknown-status", word: "WARMING", polls: 2, on: "POST /cluster/create" },
  ],
  ["The server forgets the request", { kind: "request-lost", on: "POST /cluster/create" }],
  ["FAILED, and nothing is left", { kind: "failed", message: "No capacity for 1xH100", on: "POST /cluster/create" }],
  [
    "FAILED, and the cluster is still there",
    { kind: "failed", message: "Node 0 did not boot", keepObject: true, on: "POST /cluster/create" },
  ],
  ["COMPLETED, and there is no such cluster", { kind: "completed-but-404", on: "POST /cluster/create" }],
];

const ARGS = { instanceType: "1xH100", publicKeys: ["ssh-ed25519 AAAA me"], timeouts: { create: 120 } };

/** The README's table of troubles: each is made to happen, and what the package does and says is written down. */
export async function faultTable(): Promise<string> {
  const lines = [
    "| What goes wrong | What `pulumi up` does | What the user sees | The next `up` |",
    "| --- | --- | --- | --- |",
  ];
  for (const [title, fault] of TROUBLES) lines.push(await lineOf(title, fault));
  return lines.join("\n");
}

async function lineOf(title: string, fault: Fault): Promise<string> {
  await using world = await startWorld({ faults: [fault] });
  const first = await world.run(outcomeOf(world.start().make("cluster", "train", ARGS)));
  const sent = world.requests().filter((request) => request === "POST /cluster/create").length;
  const ever = world.api.ledger().everBilled.length;
  const billed = world.api.ledger().billed.length;
  const does = {
    ready: `succeeds; create sent ${times(sent)}, ${ever} cluster bought`,
    "init error": `fails and keeps the cluster in the state; ${billed} billed`,
    error: `fails with nothing to keep; ${billed} billed`,
  }[first.ends];
  world.api.clearFaults();
  const next = "kept" in first ? (await world.run(world.start().again(first.kept, ARGS))).kind : "create";
  const after = world.requests().filter((request) => request === "POST /cluster/create").length;
  const buys = after === 0 ? "" : `, create sent ${times(after)}`;
  return `| ${title} | ${does} | ${"words" in first ? shown(first.words) : "the cluster, ready"} | ${next}${buys} |`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** In a table, and without what differs from one cluster to the next. */
function shown(words: string): string {
  return words
    .replaceAll("|", "\\|")
    .replace(/\s+/g, " ")
    .replace(/\b([crs])-[0-9a-f]{8}\b/g, "$1-…")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replace(/"train-[0-9a-f]+"/g, '"train-…"');
}
