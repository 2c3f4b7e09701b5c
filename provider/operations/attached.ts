import type { Route } from "../api/routes.ts";
import * as routes from "../api/routes.ts";
import { attachedIds, recordIn } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { text } from "../json.ts";
import { poll } from "../wait/poll.ts";
import { ON_ITS_WAY } from "./diff.ts";
import type { Ends } from "./ends.ts";
import { isMissing } from "./look.ts";

/** `no ends`: neither the cluster nor the volume is there for this key. `cannot look`: the records do not tell. */
export type Attached = "yes" | "no" | "no ends" | "cannot look";

/** Whether the volume is attached to the cluster, as told from either side. */
export async function isAttached(context: Context, { clusterId, storageId }: Ends): Promise<Attached> {
  const [volume, cluster] = await Promise.all([
    namesOther(context, routes.volumeInfo, storageId, "storage_info", clusterId),
    namesOther(context, routes.clusterInfo, clusterId, "cluster_info", storageId),
  ]);
  if (volume === "yes" || cluster === "yes") return "yes";
  if (volume === "gone" && cluster === "gone") return "no ends";
  return volume === "cannot look" && cluster === "cannot look" ? "cannot look" : "no";
}

async function namesOther(
  context: Context,
  route: Route,
  id: string,
  key: string,
  other: string,
): Promise<Attached | "gone"> {
  try {
    const { body } = await context.api.call(route, { id, signal: context.signal });
    const ids = attachedIds(recordIn(body, key));
    return ids === undefined ? "cannot look" : ids.includes(other) ? "yes" : "no";
  } catch (error) {
    if (isMissing(error)) return "gone";
    throw error;
  }
}

/**
 * Attaching and detaching restart all nodes: what is under way already must have ended before the next is asked for.
 * @returns whether it had to wait for that
 */
export async function whenCalm(context: Context, { clusterId }: Ends): Promise<boolean> {
  let hasWaited = false;
  await poll(context, `waiting until cluster ${clusterId} is running`, async () => {
    try {
      const { body } = await context.api.call(routes.clusterInfo, { id: clusterId, signal: context.signal });
      const status = text(recordIn(body, "cluster_info"), "status")?.toUpperCase() ?? "";
      if (!ON_ITS_WAY.includes(status)) return true;
      hasWaited = true;
      return undefined;
    } catch (error) {
      if (isMissing(error)) return true;
      throw error;
    }
  });
  return hasWaited;
}
