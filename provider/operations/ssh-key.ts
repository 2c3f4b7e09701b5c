import * as routes from "../api/routes.ts";
import { known, sshKeyFields } from "../api/wire.ts";
import type { Context } from "../context.ts";
import { AnswerLostError, ApiError, InitError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { isTakeOver, ownNameOf } from "./check.ts";
import { diff } from "./diff.ts";
import { type FieldTable, nameText, plainText } from "./fields.ts";
import { refuseOtherKey } from "./gone.ts";
import { KEY_ID } from "./hidden.ts";
import { type Found, isMissing, type Looking, listed } from "./look.ts";
import { plain, type Resource } from "./resource.ts";
import { inputsOf, outputsOf, type Tracked } from "./state.ts";

const OPENSSH = /^(ssh-|ecdsa-|sk-)\S+ [A-Za-z0-9+/]+={0,3}( .*)?$/;

function publicKey(value: unknown): string | undefined {
  const isKey = typeof value === "string" && OPENSSH.test(value.trim());
  return isKey ? undefined : 'an OpenSSH public key on one line, such as "ssh-ed25519 AAAA… me@laptop"';
}

const fields: FieldTable = {
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

/** What makes a key the same key: its type and its body, and not the comment behind them. */
function bodyOf(key: unknown): string {
  return typeof key === "string" ? key.trim().split(/\s+/).slice(0, 2).join(" ") : "";
}

async function create(context: Context, inputs: Fields): Promise<Tracked> {
  const before = await listed(context, looking);
  const tracked = (found: Found): Tracked => ({
    id: found.id,
    outputs: outputsOf(fields, inputs, { live: withOwnText(found, inputs), keyId: context.keyId }),
  });
  if (isTakeOver(inputs)) return tracked(adopted(before ?? [], inputs));
  const mine = ours(before ?? [], inputs);
  if (mine !== undefined) {
    context.say("info", `took over SSH key ${mine.id} instead of registering it a second time`);
    if (isSameKey(mine, inputs)) return tracked(mine);
    throw new InitError(mine.id, tracked(mine).outputs, [
      `Took over SSH key ${mine.id} of an interrupted run, but its publicKey is another one. Run pulumi up again to replace it`,
    ]);
  }
  const same = before?.find((one) => isSameKey(one, inputs));
  if (same !== undefined) throw new Error(registered(same.id));
  try {
    const body = { public_key: text(inputs, "publicKey")?.trim(), ...known({ name: text(inputs, "name") }) };
    const answer = await context.api.call(routes.addSshKey, {
      body,
      signal: context.signal,
      beforeSending: context.mayBuy,
    });
    const id =
      text(answer.body, "key_id") ??
      text(answer.body, "id") ??
      ours((await listed(context, looking)) ?? [], inputs)?.id;
    if (id === undefined) throw new AnswerLostError("POST", routes.addSshKey.path, "the answer does not name the key");
    return tracked({ id, live: {} });
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 409;
    if (!isRefused && !(error instanceof AnswerLostError)) throw error;
    // Whatever ends this look, what was lost is what the user must know of.
    const list = await listed(context, looking).catch(() => undefined);
    const same = list?.filter((one) => isSameKey(one, inputs)) ?? [];
    const found = ours(same, inputs);
    if (found !== undefined) return tracked(found);
    const [other] = same;
    throw other === undefined ? error : new Error(registered(other.id), { cause: error });
  }
}

/** The key that an interrupted run of this very resource has registered: it has this resource's own name. */
function ours(list: readonly Found[], inputs: Fields): Found | undefined {
  const name = text(inputs, "name");
  if (name === undefined || name !== ownNameOf(fields, inputs)) return undefined;
  return list.find((one) => one.live["name"] === name);
}

function isSameKey(one: Found, inputs: Fields): boolean {
  return bodyOf(one.live["publicKey"]) === bodyOf(inputs["publicKey"]);
}

function adopted(list: readonly Found[], inputs: Fields): Found {
  const wanted = text(inputs, "adopt") ?? "";
  const found = list.filter((one) => one.id === wanted || one.live["name"] === wanted);
  const [one] = found;
  if (one === undefined || found.length > 1) {
    const why =
      one === undefined ? "there is none" : `${found.length} have this name: ${found.map(({ id }) => id).join(", ")}`;
    throw new Error(`Cannot adopt SSH key "${wanted}": ${why}. Nothing was registered`);
  }
  if (inputs["publicKey"] && bodyOf(one.live["publicKey"]) !== bodyOf(inputs["publicKey"])) {
    throw new Error(`Cannot adopt SSH key ${one.id}: its publicKey is another one. Correct publicKey, or leave it out`);
  }
  return one;
}

function registered(id: string): string {
  return `Cannot register the SSH key: the API has this publicKey already, as ${id}. To use that one, add adopt: "${id}"; a pulumi destroy then removes it`;
}

/** The server may show the key without its comment: what the program wrote stays as long as it is the same key. */
function withOwnText(found: Found, inputs: Fields): Fields {
  const isSame = bodyOf(found.live["publicKey"]) === bodyOf(inputs["publicKey"]);
  return isSame ? { ...found.live, publicKey: inputs["publicKey"] } : found.live;
}

export const sshKeyResource: Resource = {
  noun: "SSH key",
  ...plain({ className: "SshKey", fields }),
  diff(olds, news) {
    // Another comment or a line end is no other key: registering it anew would also replace every cluster that names it.
    const isSame = bodyOf(olds["publicKey"]) === bodyOf(news["publicKey"]);
    return diff(fields, olds, isSame ? { ...news, publicKey: olds["publicKey"] } : news);
  },
  create,
  // Nothing of a key can be changed: what comes here (adopt, timeouts) is only stored.
  update: async (_context, _id, olds, news) => outputsOf(fields, news, { before: olds }),
  async read(context, id, olds) {
    const isGet = olds[KEY_ID] === undefined;
    const list = await listed(context, looking);
    const found = list?.find((one) => one.id === id);
    if (found === undefined && isGet) throw new Error(`Cannot get SSH key "${id}": the API knows no such id`);
    if (list === undefined) return { id, outputs: olds, inputs: inputsOf(fields, olds) };
    if (found === undefined) {
      refuseOtherKey(context, "SSH key", id, olds);
      return "gone";
    }
    const outputs = outputsOf(fields, olds, { before: olds, live: withOwnText(found, olds), keyId: context.keyId });
    return { id, outputs, inputs: inputsOf(fields, outputs) };
  },
  async destroy(context, id, olds) {
    const list = await listed(context, looking);
    if (list !== undefined && !list.some((one) => one.id === id)) return refuseOtherKey(context, "SSH key", id, olds);
    try {
      await context.api.call(routes.removeSshKey, { id, signal: context.signal });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  },
};
