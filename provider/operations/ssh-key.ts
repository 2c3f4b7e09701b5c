import * as routes from "../api/routes.ts";
import { diff } from "./diff.ts";
import { refuseOtherKey } from "./gone.ts";
import { KEY_ID } from "./hidden.ts";
import { isMissing, listed } from "./look.ts";
import { keyFields as fields, isSameKey, looking, withOwnText } from "./public-key.ts";
import { register } from "./register.ts";
import { mustStay } from "./registry.ts";
import { plain, type Resource } from "./resource.ts";
import { inputsOf, outputsOf } from "./state.ts";

export const sshKeyResource: Resource = {
  noun: "SSH key",
  ...plain({ className: "SshKey", fields }),
  diff(olds, news) {
    // Another comment or a line end is no other key: registering it anew would also replace every cluster that names it.
    return diff(fields, olds, isSameKey(olds, news) ? { ...news, publicKey: olds["publicKey"] } : news);
  },
  create: register,
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
    if (mustStay(context, "SSH key", id)) return;
    const list = await listed(context, looking);
    if (list !== undefined && !list.some((one) => one.id === id)) return refuseOtherKey(context, "SSH key", id, olds);
    try {
      await context.api.call(routes.removeSshKey, { id, signal: context.signal });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  },
};
