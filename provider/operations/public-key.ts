import * as routes from "../api/routes.ts";
import { sshKeyFields } from "../api/wire.ts";
import { type Fields, text } from "../json.ts";
import { type FieldTable, nameText, plainText } from "./fields.ts";
import type { Found, Looking } from "./look.ts";

const OPENSSH = /^(ssh-|ecdsa-|sk-)\S+ [A-Za-z0-9+/]+={0,3}( .*)?$/;

function publicKey(value: unknown): string | undefined {
  const isKey = typeof value === "string" && OPENSSH.test(value.trim());
  return isKey ? undefined : 'an OpenSSH public key on one line, such as "ssh-ed25519 AAAA… me@laptop"';
}

export const keyFields: FieldTable = {
  publicKey: { wrong: publicKey, change: "replaces", isRequired: true },
  name: { wrong: nameText, change: "replaces" },
  adopt: { wrong: plainText, change: "stored" },
};

/** Keys have no endpoint of their own: the lists are all there is to look at. */
export const looking: Looking = {
  noun: "SSH key",
  routes: { list: routes.listSshKeys, info: routes.listSshKeys },
  listKey: "keys",
  infoKey: "key",
  known: sshKeyFields,
};

/** What makes a key the same key is its type and its body, and not the comment behind them. */
export function isSameKey(one: Fields, other: Fields): boolean {
  return bodyOf(one) === bodyOf(other);
}

function bodyOf(fields: Fields): string {
  return (text(fields, "publicKey") ?? "").trim().split(/\s+/).slice(0, 2).join(" ");
}

/** The server may show the key without its comment: what the program wrote stays as long as it is the same key. */
export function withOwnText({ live }: Found, inputs: Fields): Fields {
  return isSameKey(live, inputs) ? { ...live, publicKey: inputs["publicKey"] } : live;
}
