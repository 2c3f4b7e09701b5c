import { type Fields, ok } from "../answer.ts";
import { isTrue, queryFields, readerOf } from "../body.ts";
import { volumeUsdPerHour } from "../catalogue.ts";
import * as objects from "../objects.ts";
import type { Caller } from "../options.ts";
import type { Routes } from "../table.ts";
import { type StoredVolume, serverDate, type VolumeRecord, type World } from "../world.ts";

export function volumeRoutes(world: World): Routes {
  const { volumes } = world;
  return {
    "POST /storage/create": (call) => {
      const reader = readerOf(call.body);
      const size_gb = reader.requiredWhole("size", 1);
      const name = reader.text("name");
      const deletion_protection = reader.flag("deletion_protection") ?? false;
      reader.check();
      const wish = { size_gb, deletion_protection, status: "PENDING", ...(name !== undefined && { name }) };
      const volume = addVolume(world, call.caller, wish);
      const operation = objects.beginCreate(world, call, "STORAGE_CREATE", volume, ["PENDING"], "READY"); // guessed
      const { id } = volume.record;
      const message = `Creating storage volume ${volume.record.name} (${id})`;
      return { status: 202, body: { storage_id: id, request_id: operation.id, message } };
    },
    "GET /storage/list": ({ caller, query }) => {
      const found = objects.list(world, volumes, caller, isTrue(query, "include_org"));
      const message = found.map((one) => line(world, one)).join("\n") || "No storage volumes found";
      return ok({ message, volumes: found.map((one) => volumeView(world, one)) });
    },
    "GET /storage/info/{storage_id}": ({ caller, id }) => {
      const volume = objects.findForInfo(world, volumes, caller, id);
      return ok({ message: line(world, volume), storage_info: volumeView(world, volume) });
    },
    "PATCH /storage/edit/{storage_id}": (call) => {
      const volume = objects.find(world, volumes, call.caller, call.id);
      const reader = readerOf(call.body);
      const name = reader.text("tp_storage_name");
      const protection = reader.flag("deletion_protection");
      const sizeGb = reader.whole("size_gb", 1);
      if ((name ?? protection ?? sizeGb) === undefined) reader.problem("tp_storage_name", "Nothing to change");
      if (sizeGb !== undefined && sizeGb < volume.record.size_gb) {
        reader.problem("size_gb", `Cannot shrink a volume: its size is ${volume.record.size_gb} GB`);
      }
      reader.check();
      if (name !== undefined) objects.claimName(volumes, call.caller, name, volume);
      const apply = (): void => {
        const { record } = volume;
        record.deletion_protection = protection ?? record.deletion_protection;
        record.size_gb = Math.max(record.size_gb, sizeGb ?? 0);
        record.hourly_rate = volumeUsdPerHour(record.size_gb);
      };
      return objects.beginEdit(world, call, "STORAGE_EDIT", volume, { name, apply });
    },
    "DELETE /storage/{storage_id}": (call) => {
      const volume = objects.find(world, volumes, call.caller, call.id);
      const operation = objects.beginDestroy(world, call, "STORAGE_DESTROY", volume);
      const { id } = volume.record;
      return { status: 202, body: { storage_id: id, request_id: operation.id, message: `Destroying storage ${id}` } };
    },
    "GET /storage/quote": ({ query }) => {
      const reader = readerOf(queryFields(query), "query");
      const sizeGb = reader.requiredWhole("size_gb", 1);
      reader.check();
      return ok({ hourly_rate: volumeUsdPerHour(sizeGb) });
    },
  };
}

/** Puts a volume there. @throws Refusal 409 when its name is taken */
export function addVolume(world: World, caller: Caller, wish: Partial<VolumeRecord>): StoredVolume {
  const { id = world.ids("s") } = wish;
  const { name = `storage-${id.slice(2)}`, size_gb = 100 } = wish; // guessed: the server's own names
  objects.claimName(world.volumes, caller, name);
  return objects.store(world.volumes, "volume", caller, {
    hourly_rate: volumeUsdPerHour(size_gb),
    status: "READY",
    deletion_protection: false,
    created_at: serverDate(world).toISOString(),
    ...wish,
    id,
    name,
    size_gb,
  });
}

/** The volume as the API shows it. */
function volumeView(world: World, volume: StoredVolume): Fields {
  const attached_clusters = world.links.filter((one) => one.volume === volume.record.id).map((one) => one.cluster);
  return { ...volume.record, status: objects.statusOf(world, volume), attached_clusters };
}

function line(world: World, volume: StoredVolume): string {
  const { id, name, size_gb } = volume.record;
  return `${id}  ${name}  ${size_gb} GB  ${objects.statusOf(world, volume)}`;
}
