import { plain } from "../faults.ts";
import type { Settings } from "../options.ts";
import type { Routes } from "../table.ts";
import type { World } from "../world.ts";
import { accountRoutes } from "./account.ts";
import { attachmentRoutes } from "./attachments.ts";
import { clusterRoutes } from "./clusters.ts";
import { downloadRoutes } from "./downloads.ts";
import { jobRoutes } from "./jobs.ts";
import { objectStorageRoutes } from "./object-storage.ts";
import { REQUEST_INFO, requestRoutes } from "./requests.ts";
import { sshKeyRoutes } from "./ssh-keys.ts";
import { volumeRoutes } from "./volumes.ts";

/** The whole API. */
export function allRoutes(world: World): Routes {
  return {
    ...clusterRoutes(world),
    ...volumeRoutes(world),
    ...attachmentRoutes(world),
    ...requestRoutes(world),
    ...jobRoutes(world),
    ...downloadRoutes(world),
    ...sshKeyRoutes(world),
    ...accountRoutes(world),
    ...objectStorageRoutes(world),
  };
}

/** What the project's specification names: by path, or as an asynchronous operation whose path it does not show. */
const IN_THE_SPEC: readonly string[] = [
  "POST /cluster/create",
  "DELETE /cluster/{cluster}",
  "POST /storage/create",
  "DELETE /storage/{storage_id}",
  "POST /storage/attach",
  "POST /storage/detach",
  "POST /job/cancel/{job_id}",
  "GET /job/list",
  "GET /job/pull/{job_id}",
  "GET /__files/{file}",
  REQUEST_INFO,
];

/** Whether this server was told to lack the route. */
export function isMissing({ without, minimalSpec }: Settings, route: string): boolean {
  return without.some((one) => plain(one) === plain(route)) || (minimalSpec && !IN_THE_SPEC.includes(route));
}
