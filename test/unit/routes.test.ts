import { expect, test } from "vitest";
import * as routes from "../../provider/api/routes.ts";

const all = Object.values(routes);
const byName = new Map(Object.entries(routes));

test.for([
  ["createCluster", "POST /cluster/create", "buys"],
  ["listClusters", "GET /cluster/list", "reads"],
  ["clusterInfo", "GET /cluster/info/{}", "reads"],
  ["editCluster", "PATCH /cluster/edit/{}", "settles"],
  ["destroyCluster", "DELETE /cluster/{}", "settles"],
  ["createVolume", "POST /storage/create", "buys"],
  ["listVolumes", "GET /storage/list", "reads"],
  ["volumeInfo", "GET /storage/info/{}", "reads"],
  ["editVolume", "PATCH /storage/edit/{}", "settles"],
  ["destroyVolume", "DELETE /storage/{}", "settles"],
  ["attach", "POST /storage/attach", "buys"],
  ["detach", "POST /storage/detach", "buys"],
  ["requestInfo", "GET /request/info/{}", "reads"],
  ["addSshKey", "POST /user/ssh-key/add", "buys"],
  ["listSshKeys", "GET /user/ssh-key/list", "reads"],
  ["removeSshKey", "DELETE /user/ssh-key/remove/{}", "settles"],
  ["listJobs", "GET /job/list", "reads"],
  ["jobInfo", "GET /job/info/{}", "reads"],
  ["pullJob", "GET /job/pull/{}", "reads"],
  ["cancelJob", "POST /job/cancel/{}", "settles"],
  ["listBuckets", "GET /object-storage/bucket/list", "reads"],
  ["createBucket", "PUT /object-storage/bucket/create/{}", "settles"],
  ["deleteBucket", "DELETE /object-storage/bucket/delete/{}", "settles"],
  ["clusterQuote", "GET /cluster/quote", "reads"],
  ["volumeQuote", "GET /storage/quote", "reads"],
] as const)("%s is %s and %s", ([name, expected, effect]) => {
  const { method, path, effect: actual } = byName.get(name) ?? {};
  expect([`${method} ${path}`, actual]).toEqual([expected, effect]);
});

test("every POST but a cancel is one that buys, and nothing else is, when calls may be repeated", () => {
  const posts = all.filter(({ method }) => method === "POST");
  expect(all.filter(({ effect }) => effect === "buys")).toEqual(posts.filter((one) => one !== routes.cancelJob));
});

test("every GET reads, and nothing else does, when calls may be interrupted", () => {
  expect(all.filter(({ effect }) => effect === "reads")).toEqual(all.filter(({ method }) => method === "GET"));
});
