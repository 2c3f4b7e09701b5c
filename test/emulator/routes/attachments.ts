import { type Answer, refusal } from "../answer.ts";
import { readerOf } from "../body.ts";
import { takesStorage } from "../catalogue.ts";
import { begin, find, statusOf } from "../objects.ts";
import { overtake } from "../operations.ts";
import type { Call, Routes } from "../table.ts";
import type { World } from "../world.ts";

/** guessed: both restart all nodes, and the status must show that somehow */
const RESTARTING: readonly string[] = ["CONFIGURING"];

export function attachmentRoutes(world: World): Routes {
  return {
    "POST /storage/attach": (call) => attach(world, call),
    "POST /storage/detach": (call) => detach(world, call),
  };
}

function attach(world: World, call: Call): Answer {
  const reader = readerOf(call.body);
  const storageId = reader.requiredText("storage_id");
  const clusterIds = reader.texts("cluster_ids") ?? [];
  if (clusterIds.length !== 1) reader.problem("cluster_ids", "cluster_ids should have exactly one id");
  reader.check();
  const volume = find(world, world.volumes, call.caller, storageId);
  const cluster = find(world, world.clusters, call.caller, clusterIds[0] ?? "");
  const link = { cluster: cluster.record.id, volume: volume.record.id };
  if (!takesStorage(cluster.record.instance_type, cluster.record.num_nodes)) {
    reader.problem("cluster_ids", "Storage attaches only to multi-node GPU clusters and CPU instances");
  }
  reader.check();
  if (isLinked(world, link)) throw refusal(409, `Storage ${link.volume} is attached to ${link.cluster} already`);
  // guessed: the vendor only advises to wait for RUNNING and READY
  const [clusterStatus, volumeStatus] = [statusOf(world, cluster), statusOf(world, volume)];
  if (clusterStatus !== "RUNNING") throw refusal(409, `Cluster ${link.cluster} is ${clusterStatus}, not RUNNING`);
  if (volumeStatus !== "READY") throw refusal(409, `Storage ${link.volume} is ${volumeStatus}, not READY`);
  const connect = (): void => {
    if (cluster.living && volume.living) world.links = [...world.links, link];
  };
  const operation = begin(world, call, {
    type: "STORAGE_ATTACH",
    objectId: link.volume,
    words: RESTARTING,
    holds: [cluster],
    succeed: connect,
    fail: (keepObject = false) => void (keepObject && connect()),
  });
  const message = `Attaching storage ${link.volume} to cluster ${link.cluster}`;
  const ids = { storage_id: link.volume, cluster_ids: [link.cluster], request_ids: [operation.id] };
  return { status: 202, body: { ...ids, ...(world.settings.strictSpec && { request_id: operation.id }), message } };
}

function detach(world: World, call: Call): Answer {
  const reader = readerOf(call.body);
  const storageId = reader.requiredText("storage_id");
  const clusterId = reader.requiredText("cluster_id");
  reader.check();
  const volume = find(world, world.volumes, call.caller, storageId);
  const cluster = find(world, world.clusters, call.caller, clusterId);
  const link = { cluster: cluster.record.id, volume: volume.record.id };
  if (!isLinked(world, link)) throw refusal(409, `Storage ${link.volume} is not attached to ${link.cluster}`); // guessed
  // guessed: what a cluster is doing must be over first, except a detach, or a stuck one could never be repeated
  const busy = cluster.operation;
  if (busy && busy.type !== "STORAGE_DETACH")
    throw refusal(409, `Cluster ${link.cluster} is ${statusOf(world, cluster)}`);
  if (busy?.objectId === link.volume) overtake(world, busy, "Another detach has taken over");
  else if (busy) throw refusal(409, `Cluster ${link.cluster} is ${statusOf(world, cluster)}`);
  const part = (): void => {
    world.links = world.links.filter((one) => !isSame(one, link));
  };
  const operation = begin(world, call, {
    type: "STORAGE_DETACH",
    objectId: link.volume,
    words: RESTARTING,
    holds: [cluster],
    succeed: part,
    fail: (keepObject = true) => void (keepObject || part()),
  });
  const message = `Detaching storage ${link.volume} from cluster ${link.cluster}`;
  const ids = { storage_id: link.volume, cluster_id: link.cluster, request_id: operation.id };
  return { status: 202, body: { ...ids, message } };
}

type Link = World["links"][number];

function isLinked(world: World, link: Link): boolean {
  return world.links.some((one) => isSame(one, link));
}

function isSame(one: Link, other: Link): boolean {
  return one.cluster === other.cluster && one.volume === other.volume;
}
