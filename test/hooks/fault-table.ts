import type { Fault } from "../emulator/index.ts";
import type { Props } from "../engine/plugin.ts";
import { CLUSTER, SSH_KEY } from "./args.ts";
import { outcomeOf } from "./outcome.ts";
import { startWorld, type World } from "./world.ts";

const CREATE = "POST /cluster/create";
const ADD = "POST /user/ssh-key/add";
const DETACH = "POST /storage/detach";

/** Trouble, how the README calls it, and what it meets. */
const TROUBLES: readonly (readonly [string, Fault, (world: World, fault: Fault) => Promise<Line>])[] = [
  ["The answer to the create is lost, the server has acted", { kind: "lost-answer", on: CREATE }, create],
  ["The create is reset before the server acts", { kind: "reset", on: CREATE }, create],
  ["500 after the server has acted", { kind: "acted-status", status: 500, on: CREATE }, create],
  ["The answer is no JSON", { kind: "broken-json", on: CREATE }, create],
  ["429 to the create", { kind: "too-many", retryAfter: 20, on: CREATE }, create],
  ["402, no balance", { kind: "status", status: 402, body: { message: "Insufficient balance" }, on: CREATE }, create],
  ["The lists cannot be read before the create", { kind: "status", times: "always", on: "GET /cluster/list" }, create],
  ["Polls answer 503 for a while", { kind: "status", times: 8, on: "GET /request/info/{request_id}" }, create],
  ["The operation is stuck beyond the time limit", { kind: "stuck", seconds: 300, on: CREATE }, create],
  ["A status that nobody has documented", { kind: "unknown-status", word: "WARMING", polls: 2, on: CREATE }, create],
  ["The server forgets the request", { kind: "request-lost", on: CREATE }, create],
  ["FAILED, and nothing is left", { kind: "failed", message: "The node caught fire", on: CREATE }, create],
  [
    "FAILED, and the cluster is still there",
    { kind: "failed", message: "Node 0 did not boot", keepObject: true, on: CREATE },
    create,
  ],
  ["COMPLETED, and there is no such cluster", { kind: "completed-but-404", on: CREATE }, create],
  ["No capacity (409, or FAILED)", { kind: "no-capacity", status: 409, on: CREATE }, create],
  [
    'No capacity for 10 minutes, with `capacityTimeout: "1h"`',
    { kind: "no-capacity", status: 409, forSeconds: 600, on: CREATE },
    (world, fault) => create(world, fault, { ...CLUSTER, capacityTimeout: "1h" }),
  ],
  ["The answer to the add of an SSH key is lost, the server has acted", { kind: "lost-answer", on: ADD }, addKey],
  ["The add of an SSH key is reset before the server acts", { kind: "reset", on: ADD }, addKey],
  ["The answer to a detach is lost, the server has acted", { kind: "lost-answer", on: DETACH }, detach],
  ["A detach is reset before the server acts", { kind: "reset", on: DETACH }, detach],
];

interface Line {
  readonly does: string;
  readonly sees: string;
  readonly next: string;
}

const ARGS = { instanceType: "1xH100", publicKeys: ["ssh-ed25519 AAAA me"], timeouts: { create: 120 } };

/** The README's table of troubles: each is made to happen, and what the package does and says is written down. */
export async function faultTable(): Promise<string> {
  const lines = [
    "| What goes wrong | What the package does | What the user sees | The next `up` |",
    "| --- | --- | --- | --- |",
  ];
  for (const [title, fault, meets] of TROUBLES) {
    await using world = await startWorld();
    const { does, sees, next } = await meets(world, fault);
    lines.push(`| ${title} | ${does} | ${sees} | ${next} |`);
  }
  return lines.join("\n");
}

async function create(world: World, fault: Fault, args: Props = ARGS): Promise<Line> {
  world.api.addFault(fault);
  const first = await world.run(outcomeOf(world.start().make("cluster", "train", args)));
  const sent = sendings(world, CREATE);
  const ever = world.api.ledger().everBilled.length;
  const billed = world.api.ledger().billed.length;
  const does = {
    ready: `succeeds; create sent ${times(sent)}, ${ever} cluster bought`,
    "init error": `fails and keeps the cluster in the state; ${billed} billed`,
    error: `fails with nothing to keep; ${billed} billed`,
  }[first.ends];
  world.api.clearFaults();
  const next = "kept" in first ? (await world.run(world.start().again(first.kept, args))).kind : "create";
  const after = sendings(world, CREATE);
  const buys = after === 0 ? "" : `, create sent ${times(after)}`;
  return { does, sees: "words" in first ? shown(first.words) : "the cluster, ready", next: `${next}${buys}` };
}

async function addKey(world: World, fault: Fault): Promise<Line> {
  world.api.addFault(fault);
  const made = await world.run(world.start().make("sshKey", "me", SSH_KEY));
  const does = `succeeds; add sent ${times(sendings(world, ADD))}`;
  const { kind } = await world.run(world.start().again(made));
  return { does, sees: made.reasons.join() || "the key, registered", next: kind };
}

async function detach(world: World, fault: Fault): Promise<Line> {
  const storageId = world.api.addVolume();
  const clusterId = world.api.addCluster({ instance_type: "8xH200", num_nodes: 2 });
  const made = await world.run(world.start().make("storageAttachment", "link", { clusterId, storageId }));
  world.api.addFault(fault);
  await world.run(world.start().destroy(made));
  const does = `\`pulumi destroy\` succeeds; detach sent ${times(sendings(world, DETACH))}`;
  const isGone = (await world.run(world.start().refresh(made))) === undefined;
  return { does, sees: isGone ? "the volume, detached" : "the volume, still attached", next: "create" };
}

/** How often `call` was sent since this was last asked. */
function sendings(world: World, call: string): number {
  return world.requests().filter((request) => request === call).length;
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
