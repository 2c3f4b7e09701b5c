import { type Fields, ok, refusal } from "../answer.ts";
import type { Caller } from "../options.ts";
import { hex } from "../random.ts";
import type { Routes } from "../table.ts";
import type { ObjectStorage, World } from "../world.ts";

const ENDPOINT = "https://s3.example.com"; // guessed
const REGION = "auto"; // guessed

export function objectStorageRoutes(world: World): Routes {
  const enabled = world.objectStorage;
  if (world.settings.objectStorage) for (const caller of world.settings.callers.values()) enable(world, caller);
  const of = ({ account }: Caller): ObjectStorage => {
    const storage = enabled.get(account);
    if (storage === undefined) throw refusal(409, "Object storage is not enabled"); // guessed: the status
    return storage;
  };
  const credentials = (caller: Caller): Fields => ({ ...of(caller).keys, endpoint: ENDPOINT, region: REGION });
  return {
    "POST /object-storage/enable": ({ caller }) => {
      // guessed: enabling twice changes nothing
      enable(world, caller);
      return ok({ ...credentials(caller), message: "Object storage enabled" });
    },
    "DELETE /object-storage/disable": ({ caller }) => {
      if (of(caller).buckets.size > 0) throw refusal(409, "Delete all buckets first"); // guessed
      enabled.delete(caller.account);
      return ok({ message: "Object storage disabled" });
    },
    "GET /object-storage/credentials": ({ caller }) => ok(credentials(caller)),
    "POST /object-storage/rotate-keys": ({ caller }) => {
      of(caller).keys = newKeys(world);
      return ok(credentials(caller));
    },
    "GET /object-storage/configure/rclone": ({ caller }) => {
      const { access_key_id, secret_access_key } = of(caller).keys;
      const entries = { type: "s3", provider: "Other", access_key_id, secret_access_key, endpoint: ENDPOINT };
      return ok({ rclone_config: section("tp", entries), remote_name: "tp" });
    },
    "GET /object-storage/configure/aws": ({ caller }) => {
      const { access_key_id, secret_access_key } = of(caller).keys;
      const entries = { aws_access_key_id: access_key_id, aws_secret_access_key: secret_access_key };
      const config_file = section("profile tp", { region: REGION, endpoint_url: ENDPOINT });
      return ok({ profile_name: "tp", credentials_file: section("tp", entries), config_file, endpoint: ENDPOINT });
    },
    "GET /object-storage/bucket/list": ({ caller }) => ok({ buckets: [...of(caller).buckets.keys()] }), // guessed: names
    "PUT /object-storage/bucket/create/{bucket_name}": ({ caller, id }) => {
      const { buckets } = of(caller);
      if (buckets.has(id)) throw refusal(409, `Bucket ${id} exists already`); // guessed
      buckets.set(id, 0);
      return { status: 201, body: { message: `Bucket ${id} created` } };
    },
    "DELETE /object-storage/bucket/delete/{bucket_name}": ({ caller, id }) => {
      const { buckets } = of(caller);
      const count = buckets.get(id);
      if (count === undefined) throw refusal(404, `Bucket ${id} not found`);
      if (count > 0) throw refusal(409, `Bucket ${id} is not empty`); // guessed: the status
      buckets.delete(id);
      return { status: 204 };
    },
  };
}

/** A bucket to be put there. */
export interface BucketWish {
  readonly name: string;
  /** How many objects it holds: only an empty one can be deleted. @default 0 */
  readonly objects?: number;
}

export function addBucket(world: World, caller: Caller, { name, objects = 0 }: BucketWish): string {
  enable(world, caller).buckets.set(name, objects);
  return name;
}

function enable(world: World, { account }: Caller): ObjectStorage {
  const storage = world.objectStorage.get(account) ?? { keys: newKeys(world), buckets: new Map() };
  world.objectStorage.set(account, storage);
  return storage;
}

function newKeys({ random }: World): ObjectStorage["keys"] {
  return { access_key_id: hex(random, 20), secret_access_key: hex(random, 40) };
}

function section(name: string, entries: Readonly<Record<string, string>>): string {
  const lines = Object.entries(entries).map(([key, value]) => `${key} = ${value}`);
  return `[${name}]\n${lines.join("\n")}\n`;
}
