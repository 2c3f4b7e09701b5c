import * as routes from "../api/routes.ts";
import { volumeFields } from "../api/wire.ts";
import { type Fields, number } from "../json.ts";
import type { CheckFailure } from "./check.ts";
import { set } from "./cluster.ts";
import { nameText, plainText, trueOrFalse, usd, wholeNumber } from "./fields.ts";
import type { ObjectKind } from "./kind.ts";

export const storageVolumeKind: ObjectKind = {
  noun: "storage volume",
  className: "StorageVolume",
  fields: {
    sizeGb: { wrong: wholeNumber("GB", 500), change: "updates", isRequired: true },
    name: { wrong: nameText, change: "updates" },
    deletionProtection: { wrong: trueOrFalse, change: "updates", default: false },
    adopt: { wrong: plainText, change: "stored" },
    maxHourlyUsd: { wrong: usd, change: "stored" },
  },
  rules({ sizeGb }, { sizeGb: oldGb }): CheckFailure[] {
    if (typeof sizeGb !== "number" || typeof oldGb !== "number" || !(sizeGb < oldGb)) return [];
    const reason = `Cannot shrink the volume from ${oldGb} GB to ${sizeGb} GB: the API can only grow a volume, and replacing it would destroy its data. Set sizeGb to ${oldGb} or more, or create a second volume and copy`;
    return [{ property: "sizeGb", reason }];
  },
  routes: {
    create: routes.createVolume,
    list: routes.listVolumes,
    info: routes.volumeInfo,
    edit: routes.editVolume,
    destroy: routes.destroyVolume,
    quote: routes.volumeQuote,
  },
  listKey: "volumes",
  infoKey: "storage_info",
  shown: ["name", "status", "sizeGb", "deletionProtection", "createdAt"],
  idKey: "storage_id",
  known: volumeFields,
  quoteQuery(args) {
    const sizeGb = number(args, "sizeGb");
    return sizeGb === undefined ? undefined : { size_gb: String(sizeGb) };
  },
  createBody: (inputs): Fields => ({
    size: inputs["sizeGb"],
    deletion_protection: inputs["deletionProtection"],
    ...set({ name: inputs["name"] }),
  }),
  editBody: (changes): Fields =>
    set({
      tp_storage_name: changes["name"],
      size_gb: changes["sizeGb"],
      deletion_protection: changes["deletionProtection"],
    }),
  derived: (objectId) => ({ mountPath: `/mnt/${objectId}` }),
};
