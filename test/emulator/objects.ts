import { type Answer, refusal } from "./answer.ts";
import { type Operation, overtake, type RequestType, startOperation, wordOf } from "./operations.ts";
import type { Caller } from "./options.ts";
import type { Call } from "./table.ts";
import { isListed, type Stored, serverDate, type World } from "./world.ts";

/** What clusters and volumes have in common. */
interface CommonRecord {
  readonly id: string;
  name: string;
  status: string;
  deletion_protection: boolean;
}

export function statusOf(world: World, { operation, record }: Stored<CommonRecord>): string {
  return (operation && wordOf(operation, world.settings.clock.now())) ?? record.status;
}

/** The account's object of that id, else of that name. @throws Refusal 404 */
export function find<R extends CommonRecord>(
  world: World,
  all: ReadonlyMap<string, Stored<R>>,
  { account }: Caller,
  idOrName: string,
): Stored<R> {
  const nowMs = world.settings.clock.now();
  const mine = [...all.values()].filter((one) => one.living && one.account === account && nowMs >= one.hiddenUntilMs);
  const found = mine.find((one) => one.record.id === idOrName) ?? mine.find((one) => one.record.name === idOrName);
  if (found === undefined) throw refusal(404, `${idOrName} not found`);
  return found;
}

/** As `find`, and under `goneAs: "record"` also what was destroyed. */
export function findForInfo<R extends CommonRecord>(
  world: World,
  all: ReadonlyMap<string, Stored<R>>,
  caller: Caller,
  idOrName: string,
): Stored<R> {
  const gone = all.get(idOrName);
  const shown = world.settings.goneAs === "record" && gone?.record.status === "DESTROYED";
  return gone && shown && gone.account === caller.account ? gone : find(world, all, caller, idOrName);
}

export function list<R>(
  world: World,
  all: ReadonlyMap<string, Stored<R>>,
  caller: Caller,
  includeOrg: boolean,
): Stored<R>[] {
  const nowMs = world.settings.clock.now();
  const isShown = (one: Stored<R>): boolean => one.living && nowMs >= Math.max(one.hiddenUntilMs, one.listedFromMs);
  return [...all.values()].filter((one) => isShown(one) && isListed(one, caller, includeOrg));
}

/** @throws Refusal 409 when another living object of the account has the name, or will have it */
export function claimName<R extends CommonRecord>(
  all: ReadonlyMap<string, Stored<R>>,
  { account }: Caller,
  name: string,
  own?: Stored<R>,
): void {
  const taken = [...all.values()].some(
    (one) => one !== own && one.living && one.account === account && [one.record.name, one.nextName].includes(name),
  );
  if (taken) throw refusal(409, `The name ${name} is already in use`);
}

/** Puts a new object there; it is billed from here on. */
export function store<R extends CommonRecord>(
  all: Map<string, Stored<R>>,
  kind: Stored<R>["kind"],
  { account, owner }: Caller,
  record: R,
): Stored<R> {
  const never = Number.NEGATIVE_INFINITY;
  const stored: Stored<R> = {
    kind,
    account,
    owner,
    record,
    living: true,
    operation: undefined,
    nextName: undefined,
    hiddenUntilMs: never,
    listedFromMs: never,
  };
  all.set(record.id, stored);
  return stored;
}

/** Ends an object and its bill, whatever was attached. */
export function vanish(world: World, object: Stored<CommonRecord>): void {
  const { id } = object.record;
  object.living = false;
  world.links = world.links.filter(({ cluster, volume }) => cluster !== id && volume !== id);
}

/** Starts making `object`, which ends in the status `ready`. */
export function beginCreate(
  world: World,
  call: Call,
  type: RequestType,
  object: Stored<CommonRecord>,
  words: readonly string[],
  ready: string,
): Operation {
  const operation = begin(world, call, {
    type,
    objectId: object.record.id,
    words,
    holds: [object],
    succeed({ dueMs, faults }) {
      object.record.status = ready;
      const missing = faults.find((one) => one.kind === "completed-but-404");
      if (missing?.kind !== "completed-but-404") return;
      if (missing.seconds === undefined) vanish(world, object);
      else object.hiddenUntilMs = dueMs + missing.seconds * 1_000;
    },
    fail(keepObject = false) {
      object.record.status = "FAILED";
      if (!keepObject) vanish(world, object);
    },
  });
  for (const fault of operation.faults) {
    if (fault.kind === "unlisted") object.listedFromMs = operation.startedMs + (fault.seconds ?? Infinity) * 1_000;
  }
  return operation;
}

/** Starts destroying `object`. @throws Refusal 409 when it is protected, in use or being destroyed */
export function beginDestroy(world: World, call: Call, type: RequestType, object: Stored<CommonRecord>): Operation {
  const { record } = object;
  if (statusOf(world, object) === "DESTROYING") throw refusal(409, `${record.id} is being destroyed already`);
  if (record.deletion_protection) throw refusal(409, `${record.id} has deletion protection; disable it first`);
  // guessed: every published workflow detaches first, so the server may well insist on it
  const link = world.links.find(({ cluster, volume }) => cluster === record.id || volume === record.id);
  if (link) throw refusal(409, `Storage ${link.volume} is attached to cluster ${link.cluster}; detach it first`);
  for (const one of world.underWay) {
    const concerns = one.objectId === record.id || one.holds?.includes(object);
    if (concerns) overtake(world, one, `${record.id} is being destroyed`);
  }
  return begin(world, call, {
    type,
    objectId: record.id,
    words: ["DESTROYING"],
    holds: [object],
    succeed() {
      vanish(world, object);
      record.status = "DESTROYED";
    },
    fail(keepObject = true) {
      record.status = keepObject ? "FAILED" : "DESTROYED";
      if (!keepObject) vanish(world, object);
    },
  });
}

/** Accepts a change of `object` that shows in a quarter of an operation's time; its request id is told to nobody. */
export function beginEdit(
  world: World,
  call: Call,
  type: RequestType,
  object: Stored<CommonRecord>,
  change: { readonly name: string | undefined; apply(): void },
): Answer {
  const { record } = object;
  if (statusOf(world, object) === "DESTROYING") throw refusal(409, `${record.id} is being destroyed`);
  object.nextName = change.name ?? object.nextName;
  const forget = (): void => {
    if (object.nextName === change.name) object.nextName = undefined;
  };
  begin(world, call, {
    type,
    objectId: record.id,
    share: 1 / 4,
    succeed() {
      record.name = change.name ?? record.name;
      change.apply();
      forget();
    },
    fail: forget,
  });
  return { status: 202, body: { message: `Edit of ${record.id} accepted` } };
}

type Plan = Omit<Parameters<typeof startOperation>[3], "account">;

/** Starts an operation of the caller. */
export function begin(world: World, call: Call, plan: Plan): Operation {
  return startOperation(world, call.route, serverDate(world).toISOString(), { ...plan, account: call.caller.account });
}
