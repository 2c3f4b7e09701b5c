import { type Answer, ok, refusal } from "../answer.ts";
import { readerOf } from "../body.ts";
import type { Call, Routes } from "../table.ts";
import type { World } from "../world.ts";

/** These need no key. */
export const OPEN_ROUTES: readonly string[] = ["GET /healthz", "GET /__files/{file}"];

const PREFERENCES: Readonly<Record<string, boolean | number | null>> = {
  notify_email_cluster_create: true, // guessed: the five defaults
  notify_email_cluster_destroy: true,
  autopay_enabled: false,
  balance_warning_threshold: null,
  autopay_reload_threshold: null,
};

export function accountRoutes(world: World): Routes {
  return {
    "POST /health": () => ok({}),
    "GET /healthz": () => ok({}),
    "GET /user/info": () => ok({ message: "user@example.com  balance 100.00 USD" }),
    "GET /user/organization/info": () =>
      ok({ org_name: "Example", members: [{ uid: "u-1", email: "user@example.com" }], balance: 100 }),
    "GET /user/preferences": ({ caller }) => ok(world.preferences.get(caller.account) ?? PREFERENCES),
    "PATCH /user/preferences": (call) => changePreferences(world, call),
    "GET /ssh/{instance_id}": ({ caller, id }) => {
      const mine = [...world.clusters.values()].filter((one) => one.living && one.account === caller.account);
      const instance = mine.flatMap((one) => one.record.instances).find((one) => one.id === id);
      if (instance === undefined) throw refusal(404, `Instance ${id} not found`);
      // The vendor's client runs this command: an echo does no harm.
      return ok({ command: `echo ssh ubuntu@${instance.ip_address ?? instance.private_ip_address}` });
    },
  };
}

function changePreferences(world: World, { body, caller }: Call): Answer {
  const now = { ...(world.preferences.get(caller.account) ?? PREFERENCES) };
  const reader = readerOf(body);
  for (const [key, value] of Object.entries(body)) {
    if (!Object.hasOwn(PREFERENCES, key)) continue;
    const isThreshold = key.endsWith("_threshold");
    if (value === null || typeof value === (isThreshold ? "number" : "boolean")) now[key] = parsed(value);
    else reader.problem(key, `${key} should be ${isThreshold ? "a number" : "a boolean"} or null`);
  }
  const warning = now["balance_warning_threshold"];
  const reload = now["autopay_reload_threshold"];
  if (typeof warning === "number" && warning <= 0) reader.problem("balance_warning_threshold", "Must be above 0");
  if (typeof reload === "number" && (reload < 20 || (typeof warning === "number" && reload >= warning))) {
    reader.problem("autopay_reload_threshold", "Must be at least 20 and below the warning threshold");
  }
  reader.check();
  world.preferences.set(caller.account, now);
  return ok(now);
}

function parsed(value: unknown): boolean | number | null {
  return typeof value === "boolean" || typeof value === "number" ? value : null;
}
