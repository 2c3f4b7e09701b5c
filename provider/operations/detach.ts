import * as routes from "../api/routes.ts";
import { accepted } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { AnswerLostError, ApiError, StoppedError } from "../errors.ts";
import type { Fields } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { becomes } from "./attach.ts";
import { isAttached, whenCalm } from "./attached.ts";
import { type Ends, endsIn } from "./ends.ts";
import { refuseOtherKey } from "./gone.ts";
import { outwait, waitForAll } from "./pending.ts";
import { alone, mustStay } from "./registry.ts";

/** Detaches the volume and waits until neither side shows it. An attach that is still under way is waited out first. */
export async function detach(context: Context, olds: Fields): Promise<void> {
  const ends = endsIn(olds);
  if (mustStay(context, "storage attachment", `${ends.clusterId}/${ends.storageId}`)) return;
  await outwait(context, olds);
  try {
    await alone(context.api, [ends.clusterId, ends.storageId], () => untilDetached(context, olds, ends));
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    throw new Error(
      `${error.message}. Detaching volume ${ends.storageId} from cluster ${ends.clusterId} may go on at the server. ${context.api.advice.again("detach", "again")}`,
      { cause: error },
    );
  }
}

async function untilDetached(context: Context, olds: Fields, ends: Ends): Promise<void> {
  await whenCalm(context, ends);
  const before = await isAttached(context, ends);
  if (before === "no") return;
  if (before === "no ends")
    return refuseOtherKey(context, "storage attachment", `${ends.clusterId}/${ends.storageId}`, olds);
  if ((await post(context, ends)) === "accepted") {
    await poll(context, "waiting until the volume is detached", async () =>
      (await isAttached(context, ends)) === "yes" ? undefined : true,
    );
  }
  context.report({ status: "detached" });
}

/** Detaching restarts all nodes too: a lost one goes out again only when a look shows that it has done nothing. */
async function post(context: Context, ends: Ends): Promise<"accepted" | "done"> {
  for (let tries = 1; ; tries += 1) {
    const sinceMs = context.clock.now();
    try {
      const body = { storage_id: ends.storageId, cluster_id: ends.clusterId };
      const answer = await context.api.call(routes.detach, { body, signal: context.signal });
      const { requestIds } = accepted(answer.body, "storage_id");
      await waitForAll(context, { requestIds, sinceMs, askAfterMs: answer.askAgainAtMs });
      return "accepted";
    } catch (error) {
      const isRefused = error instanceof ApiError && (error.status === 404 || error.status === 409);
      if (!isRefused && !(error instanceof AnswerLostError)) throw error;
      // Lost, or refused because it is being detached already: what the records show decides.
      const found = await becomes(context, ends, "no");
      if (found === "done") return found;
      if (isRefused || tries === 2 || found === "cannot look") throw error;
    }
  }
}
