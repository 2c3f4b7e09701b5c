import * as routes from "../api/routes.ts";
import { accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { AnswerLostError, ApiError, InitError, RequestFailedError, StoppedError } from "../errors.ts";
import { type Fields, isFields, text } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { waitForRequest } from "../wait/request.ts";
import { type Ends, isAttached, resolved, stillPending, whenCalm } from "./attached.ts";
import { diff } from "./diff.ts";
import { type FieldTable, idOf } from "./fields.ts";
import { refuseOtherKey, SHOWS_WITHIN_MS } from "./gone.ts";
import { KEY_ID, RESOLVED } from "./hidden.ts";
import { alone } from "./registry.ts";
import { plain, type Resource } from "./resource.ts";
import { inputsOf, outputsOf, type PendingWork, pendingOf, type Tracked } from "./state.ts";

const fields: FieldTable = {
  clusterId: {
    wrong: idOf("a cluster", "c-…", { "s-": "a storage volume's", "i-": "an instance's" }),
    change: "replaces",
    isRequired: true,
  },
  storageId: {
    wrong: idOf("a storage volume", "s-…", { "c-": "a cluster's", "i-": "an instance's" }),
    change: "replaces",
    isRequired: true,
  },
};

/** When a lost attach is looked for, in milliseconds after the loss. */
const LOOKS_AFTER_MS = [1_000, 5_000, 15_000];

function endsIn(outputs: Fields): Ends {
  const stored = outputs[RESOLVED];
  const source = isFields(stored) ? stored : outputs;
  return { clusterId: text(source, "clusterId") ?? "", storageId: text(source, "storageId") ?? "" };
}

function track(context: Context, inputs: Fields, ends: Ends, pending?: PendingWork): Tracked {
  const isPlaceholder = ends.clusterId !== inputs["clusterId"] || ends.storageId !== inputs["storageId"];
  const live = { [RESOLVED]: isPlaceholder ? { ...ends } : undefined };
  const requestId = pending?.requestIds[0] ?? text(inputs, "requestId");
  return {
    id: `${ends.clusterId}/${ends.storageId}`,
    // While it is pending, nobody has seen it yet: the key that asked for it counts.
    outputs: outputsOf(fields, inputs, {
      live,
      keyId: pending && inputs[KEY_ID] !== undefined ? undefined : context.keyId,
      requestId,
      pending,
    }),
  };
}

async function create(context: Context, inputs: Fields): Promise<Tracked> {
  const given = endsIn(inputs);
  const ends = {
    clusterId: await resolved(context, given.clusterId, "cluster"),
    storageId: await resolved(context, given.storageId, "storage volume"),
  };
  return alone(context.api, [ends.clusterId, ends.storageId], async () => {
    await whenCalm(context, ends);
    if ((await isAttached(context, ends)) === "yes") {
      context.say("info", `volume ${ends.storageId} is attached to cluster ${ends.clusterId} already: taken over`);
      return track(context, inputs, ends);
    }
    const work = await attach(context, ends);
    return work === "attached" ? track(context, inputs, ends) : finish(context, inputs, ends, work, false);
  });
}

/** Attaching restarts all nodes, so it is not repeated before a look shows that a lost one has done nothing. */
async function attach(context: Context, ends: Ends): Promise<PendingWork | "attached"> {
  for (let tries = 1; ; tries += 1) {
    const sinceMs = context.clock.now();
    try {
      const body = { storage_id: ends.storageId, cluster_ids: [ends.clusterId] };
      const { signal, mayBuy: beforeSending } = context;
      const answer = await context.api.call(routes.attach, { body, signal, beforeSending });
      const { requestIds } = accepted(answer.body, "storage_id");
      return { operation: "create", requestIds, sinceMs, askAfterMs: answer.askAgainAtMs };
    } catch (error) {
      if (!(error instanceof AnswerLostError)) throw error;
      const isThere = await becomes(context, ends, "yes", context.clock.now()).catch((stopped: unknown) => {
        // Stopped while it looks: that the attach may have taken effect must be known.
        throw context.signal.aborted ? error : stopped;
      });
      if (isThere) return "attached";
      if (tries === 2) throw error;
    }
  }
}

async function becomes(context: Context, ends: Ends, wanted: "yes" | "no", sinceMs: number): Promise<boolean> {
  for (const afterMs of LOOKS_AFTER_MS) {
    await context.clock.sleep(Math.max(0, sinceMs + afterMs - context.clock.now()), context.signal);
    await whenCalm(context, ends);
    if ((await isAttached(context, ends)) === wanted) return true;
  }
  return false;
}

/** Waits for every request of an accepted attach, then until one side shows it. */
async function finish(
  context: Context,
  inputs: Fields,
  ends: Ends,
  work: PendingWork,
  isKnown: boolean,
): Promise<Tracked> {
  let { askAfterMs } = work;
  try {
    for (const requestId of work.requestIds) {
      await waitForRequest(context, { requestId, sinceMs: work.sinceMs, askAfterMs }, (atMs) => {
        askAfterMs = atMs;
      });
    }
    await whenCalm(context, ends);
    let missingSinceMs: number | undefined;
    const isThere = await poll(context, "waiting until the volume is attached", async () => {
      if (["yes", "cannot look"].includes(await isAttached(context, ends))) return true;
      missingSinceMs ??= context.clock.now();
      return context.clock.now() - missingSinceMs >= SHOWS_WITHIN_MS ? false : undefined;
    });
    const { id, outputs } = track(context, { ...inputs, requestId: work.requestIds[0] }, ends);
    if (!isThere) {
      throw new InitError(id, { ...outputs, status: "MISSING" }, [
        `Volume ${ends.storageId} is not attached to cluster ${ends.clusterId} although the API is through with attaching it (request ${work.requestIds.join(", ")}); it may have been detached since. Run pulumi up to attach it again`,
      ]);
    }
    context.report({ status: "attached" });
    return { id, outputs };
  } catch (error) {
    if (error instanceof InitError) throw error;
    const isFailed = error instanceof RequestFailedError;
    if (isFailed && !isKnown) throw error;
    // What a 429 has asked for must be kept for a later process too.
    askAfterMs = Math.max(askAfterMs ?? 0, context.api.pausedUntilMs) || undefined;
    const { id, outputs } = track(context, inputs, ends, isFailed ? undefined : { ...work, askAfterMs });
    const why = error instanceof Error ? error.message : String(error);
    const reason = isFailed
      ? `${why}. Run pulumi up to attach the volume again`
      : `${why}. Attaching volume ${ends.storageId} to cluster ${ends.clusterId} goes on at the server (request ${work.requestIds.join(", ")}, since ${new Date(work.sinceMs).toISOString()}). Run pulumi up to go on waiting`;
    throw new InitError(id, isFailed ? { ...outputs, status: "FAILED" } : outputs, [reason], error);
  }
}

async function detach(context: Context, olds: Fields, ends: Ends): Promise<void> {
  await whenCalm(context, ends);
  const before = await isAttached(context, ends);
  if (before === "no") return;
  if (before === "no ends")
    return refuseOtherKey(context, "storage attachment", `${ends.clusterId}/${ends.storageId}`, olds);
  const sinceMs = context.clock.now();
  try {
    const body = { storage_id: ends.storageId, cluster_id: ends.clusterId };
    const answer = await context.api.call(routes.detach, { body, signal: context.signal });
    for (const requestId of accepted(answer.body, "storage_id").requestIds) {
      await waitForRequest(context, { requestId, sinceMs, askAfterMs: answer.askAgainAtMs });
    }
  } catch (error) {
    const isRefused = error instanceof ApiError && (error.status === 404 || error.status === 409);
    if (!isRefused && !(error instanceof AnswerLostError)) throw error;
    // Lost, or refused because it is being detached already: what the records show decides.
    if (await becomes(context, ends, "no", context.clock.now())) return;
    throw error;
  }
  await poll(context, "waiting until the volume is detached", async () =>
    (await isAttached(context, ends)) === "yes" ? undefined : true,
  );
  context.report({ status: "detached" });
}

export const storageAttachmentResource: Resource = {
  noun: "storage attachment",
  ...plain({ className: "StorageAttachment", fields }),
  diff(olds, news) {
    // A placeholder that refresh has healed names the same end as before: nothing is attached anew.
    const ends: Fields = { ...endsIn(olds) };
    const same = Object.keys(fields).filter((key) => news[key] === ends[key]);
    return diff(fields, olds, { ...news, ...Object.fromEntries(same.map((key) => [key, olds[key]])) });
  },
  create,
  async update(context, _id, olds, news) {
    const pending = pendingOf(olds);
    const kept = (before: Fields): Fields =>
      outputsOf(fields, news, { before, live: { [RESOLVED]: before[RESOLVED] } });
    if (pending === undefined) return kept(olds);
    const ends = endsIn(olds);
    const done = await alone(context.api, [ends.clusterId, ends.storageId], () =>
      finish(context, olds, ends, pending, true),
    );
    return kept(done.outputs);
  },
  async read(context, id, olds) {
    const [clusterId = "", storageId = ""] = id.split("/");
    const ends = { clusterId, storageId };
    const isGet = olds["clusterId"] === undefined;
    // Asked before the look, which then shows what has come of it.
    const pending = await stillPending(context, pendingOf(olds));
    let attached = await isAttached(context, ends);
    // While the cluster restarts, the volume may be on its way out, by a detach that nobody has waited for.
    if (attached === "yes" && (await whenCalm(context, ends))) attached = await isAttached(context, ends);
    if (isGet && attached !== "yes")
      throw new Error(`Cannot get storage attachment "${id}": the API shows no such attachment`);
    if (attached === "no ends") refuseOtherKey(context, "storage attachment", id, olds);
    const mayCome = pending !== undefined || attached === "cannot look";
    if (attached !== "yes" && !mayCome) return "gone";
    const inputs: Fields = isGet ? { ...olds, ...ends } : olds;
    const outputs = outputsOf(fields, inputs, {
      before: olds,
      keyId: attached === "yes" ? context.keyId : undefined,
      pending: attached === "yes" ? undefined : pending,
    });
    return {
      id,
      outputs: { ...outputs, [RESOLVED]: olds[RESOLVED], status: undefined },
      inputs: inputsOf(fields, outputs),
    };
  },
  async destroy(context, _id, olds) {
    const ends = endsIn(olds);
    for (const requestId of pendingOf(olds)?.requestIds ?? []) {
      await waitForRequest(context, {
        requestId,
        sinceMs: pendingOf(olds)?.sinceMs ?? 0,
        askAfterMs: pendingOf(olds)?.askAfterMs,
      }).catch((error: unknown) => {
        if (!(error instanceof RequestFailedError)) throw error;
      });
    }
    await alone(context.api, [ends.clusterId, ends.storageId], () => detach(context, olds, ends)).catch(
      (error: unknown) => {
        if (!(error instanceof StoppedError)) throw error;
        throw new Error(
          `${error.message}. Detaching volume ${ends.storageId} from cluster ${ends.clusterId} may go on at the server: run the command again`,
          { cause: error },
        );
      },
    );
  },
};
