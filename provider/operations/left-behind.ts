import type { Api } from "../api/client.ts";
import { text } from "../json.ts";
import { clusterKind } from "./cluster.ts";
import type { ObjectKind } from "./kind.ts";
import { abortable, load } from "./look.ts";
import { isMadeWith } from "./name.ts";
import { registryOf } from "./registry.ts";
import { storageVolumeKind } from "./storage-volume.ts";

const KINDS: readonly ObjectKind[] = [clusterKind, storageVolumeKind];

/**
 * The clusters and volumes that still exist under names made with this seed, such as `cluster c-… ("train-…")`. Those
 * that are being destroyed do not count; those that the program has named itself cannot be told.
 * @returns `undefined` when a list cannot be had
 * @throws ApiError when the API refuses or does not answer, and the signal's reason when it is aborted
 */
export async function leftBehind(api: Api, seed: string, signal: AbortSignal): Promise<string[] | undefined> {
  const lists = await abortable(Promise.all(KINDS.map((kind) => load(api, kind))), signal);
  if (lists.some((list) => list === undefined)) return undefined;
  return lists.flatMap((list = [], index) =>
    list.flatMap(({ id, live }) => {
      const name = text(live, "name") ?? "";
      const isLeaving = live["status"] === "DESTROYING" || live["status"] === "DESTROYED";
      if (isLeaving || registryOf(api).destroyed.has(id) || !isMadeWith(seed, name)) return [];
      return `${KINDS[index]?.noun} ${id} ("${name}")`;
    }),
  );
}
