import * as routes from "../api/routes.ts";
import { clusterFields, known } from "../api/wire.ts";
import { type Fields, isFields, number, text } from "../json.ts";
import { capacityTimeoutSeconds } from "./capacity-words.ts";
import { type CheckFailure, isTakeOver } from "./check.ts";
import {
  durationText,
  idOf,
  isUnknown,
  nameText,
  nearest,
  plainText,
  trueOrFalse,
  usd,
  wholeNumber,
} from "./fields.ts";
import { ACCELERATORS, INSTANCE_TYPES } from "./instance-types.ts";
import type { ObjectKind } from "./kind.ts";

const INSTANCE_TYPE = /^[1-9]\d*x[A-Za-z0-9][A-Za-z0-9._-]*$/;

function instanceType(value: unknown): string | undefined {
  if (typeof value === "string" && INSTANCE_TYPE.test(value)) return undefined;
  const near = typeof value === "string" ? nearest(value, INSTANCE_TYPES) : undefined;
  return `a count, "x" and an accelerator, such as ${near ?? "8xH100"}`;
}

function publicKeys(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.every((key) => plainText(key) === undefined);
  return isList ? undefined : "a list of OpenSSH public keys, at least one, none empty";
}

function hasKey(inputs: Fields): boolean {
  return (inputs["sshKeyId"] ?? inputs["publicKeys"] ?? undefined) !== undefined;
}

function needsKey(news: Fields, olds: Fields): CheckFailure[] {
  // One that was imported or adopted without a key has its keys already; the API does not tell which.
  const wasTakenOver = (olds["instanceType"] !== undefined || isTakeOver(olds)) && !hasKey(olds);
  if (hasKey(news) || isTakeOver(news) || wasTakenOver) return [];
  const reason = "Cannot go without a key: expected sshKeyId (the id of a registered SSH key), publicKeys, or both";
  return [{ property: "sshKeyId", reason }];
}

/** The wait for capacity is a part of the create, whose time limit goes before it. */
function needsTime(news: Fields): CheckFailure[] {
  const { capacityTimeout, timeouts } = news;
  const limitS = isFields(timeouts) ? number(timeouts, "create") : undefined;
  if (limitS === undefined || durationText(60, "2h")(capacityTimeout) !== undefined) return [];
  if (capacityTimeoutSeconds(news) < limitS) return [];
  const reason = `Cannot use capacityTimeout ${JSON.stringify(capacityTimeout)}: customTimeouts.create ends the create after ${limitS} s already. Make that longer, or leave it out: it is 60 minutes and capacityTimeout by default`;
  return [{ property: "capacityTimeout", reason }];
}

export const clusterKind: ObjectKind = {
  noun: "cluster",
  className: "Cluster",
  fields: {
    instanceType: { wrong: instanceType, change: "replaces", isRequired: true },
    numNodes: { wrong: wholeNumber("nodes", 2), change: "replaces", default: 1 },
    sshKeyId: {
      wrong: idOf("a registered SSH key", "the id of an SshKey", { "c-": "a cluster's", "s-": "a storage volume's" }),
      change: "replaces",
    },
    publicKeys: { wrong: publicKeys, change: "replaces" },
    name: { wrong: nameText, change: "updates" },
    container: { wrong: plainText, change: "replaces" },
    deletionProtection: { wrong: trueOrFalse, change: "updates", default: false },
    saveKeys: { wrong: trueOrFalse, change: "stored", default: false },
    capacityTimeout: { wrong: durationText(60, "2h"), change: "stored" },
    adopt: { wrong: plainText, change: "stored" },
    maxHourlyUsd: { wrong: usd, change: "stored" },
  },
  rules: (news, olds): CheckFailure[] => [...needsKey(news, olds), ...needsTime(news)],
  doubts(news): string[] {
    const type = news["instanceType"];
    if (typeof type !== "string" || isUnknown(type) || INSTANCE_TYPES.some((one) => one === type)) return [];
    const near = nearest(type, INSTANCE_TYPES);
    const hint = near === undefined ? `known accelerators: ${ACCELERATORS.join(", ")}` : `did you mean ${near}?`;
    return [`instanceType "${type}" is not among those this release knows (${hint}); it is sent, and the API decides`];
  },
  routes: {
    create: routes.createCluster,
    list: routes.listClusters,
    info: routes.clusterInfo,
    edit: routes.editCluster,
    destroy: routes.destroyCluster,
    quote: routes.clusterQuote,
  },
  listKey: "clusters",
  infoKey: "cluster_info",
  shown: ["name", "status", "instanceType", "numNodes", "container", "deletionProtection", "instances", "createdAt"],
  idKey: "cluster_id",
  known: clusterFields,
  quoteQuery(args) {
    const [type, nodes = 1] = [text(args, "instanceType"), number(args, "numNodes")];
    return type === undefined ? undefined : { instance_type: type, num_nodes: String(nodes) };
  },
  createBody: (inputs): Fields => ({
    instance_type: inputs["instanceType"],
    num_nodes: inputs["numNodes"],
    deletion_protection: inputs["deletionProtection"],
    ...set({
      ssh_key_id: inputs["sshKeyId"],
      public_keys: inputs["publicKeys"],
      tp_cluster_name: inputs["name"],
      container: inputs["container"],
    }),
    // The API's own default adds the keys to the user's profile: a side effect that no destroy would undo.
    save_keys: inputs["saveKeys"] ?? false,
  }),
  editBody: (changes): Fields =>
    set({ cluster_name: changes["name"], deletion_protection: changes["deletionProtection"] }),
  derived: () => ({}),
};

/** Only what the program has set is sent. */
export function set(fields: Fields): Fields {
  return known(Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value ?? undefined])));
}
