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
] as const)("%s is %s and %s", ([name, expected, effect]) => {
  const { method, path, effect: actual } = byName.get(name) ?? {};
  expect([`${method} ${path}`, actual]).toEqual([expected, effect]);
});

test("every POST is one that buys, and nothing else is, when calls may be repeated", () => {
  expect(all.filter(({ effect }) => effect === "buys")).toEqual(all.filter(({ method }) => method === "POST"));
});

test("every GET reads, and nothing else does, when calls may be interrupted", () => {
  expect(all.filter(({ effect }) => effect === "reads")).toEqual(all.filter(({ method }) => method === "GET"));
});
