import type { Order } from "../wait/scheduler.ts";

/** One endpoint of the API. All paths of this package stand in the table below and nowhere else. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE" | "PUT";
  /** `{}` stands for the id that a call gives. */
  readonly path: string;
  readonly order: Order;
  /**
   * What repeating the call can do: `reads` nothing, `settles` nothing more than the first one did,
   * `buys` something a second time.
   */
  readonly effect: "reads" | "settles" | "buys";
  /** Own limit of one request, in milliseconds. @default 30_000 */
  readonly limitMs?: number;
}

const reads = (path: string): Route => ({ method: "GET", path, order: "read", effect: "reads" });
const edits = (path: string): Route => ({ method: "PATCH", path, order: "change", effect: "settles" });
const destroys = (path: string): Route => ({ method: "DELETE", path, order: "destroy", effect: "settles" });
const buys = (path: string): Route => ({ method: "POST", path, order: "buy", effect: "buys" });

export const createCluster: Route = buys("/cluster/create");
export const listClusters: Route = reads("/cluster/list");
export const clusterInfo: Route = reads("/cluster/info/{}");
export const editCluster: Route = edits("/cluster/edit/{}");
export const destroyCluster: Route = destroys("/cluster/{}");
export const createVolume: Route = buys("/storage/create");
export const listVolumes: Route = reads("/storage/list");
export const volumeInfo: Route = reads("/storage/info/{}");
export const editVolume: Route = edits("/storage/edit/{}");
export const destroyVolume: Route = destroys("/storage/{}");
// Neither is paid, but both restart every node of the cluster: as little to be repeated blindly as a purchase.
export const attach: Route = { ...buys("/storage/attach"), order: "change" };
export const detach: Route = { ...buys("/storage/detach"), order: "destroy" };
export const requestInfo: Route = { ...reads("/request/info/{}"), order: "poll" };
export const addSshKey: Route = buys("/user/ssh-key/add");
export const listSshKeys: Route = reads("/user/ssh-key/list");
export const removeSshKey: Route = destroys("/user/ssh-key/remove/{}");
export const listJobs: Route = reads("/job/list");
export const jobInfo: Route = reads("/job/info/{}");
// The server signs a URL for each file: the vendor's own client gives it as long as this.
export const pullJob: Route = { ...reads("/job/pull/{}"), limitMs: 60_000 };
// A second cancel does nothing more than the first one did, and like a destroy it ends a bill.
export const cancelJob: Route = { ...destroys("/job/cancel/{}"), method: "POST" };
export const listBuckets: Route = reads("/object-storage/bucket/list");
export const createBucket: Route = { ...edits("/object-storage/bucket/create/{}"), method: "PUT" };
export const deleteBucket: Route = destroys("/object-storage/bucket/delete/{}");
export const objectStorageCredentials: Route = reads("/object-storage/credentials");
// A server that takes longer has none to give.
export const clusterQuote: Route = { ...reads("/cluster/quote"), limitMs: 5_000 };
export const volumeQuote: Route = { ...reads("/storage/quote"), limitMs: 5_000 };
