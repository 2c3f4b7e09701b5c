import { ok, refusal } from "../answer.ts";
import { isTrue, readerOf } from "../body.ts";
import type { Routes } from "../table.ts";
import { isListed, type World } from "../world.ts";

/** guessed: the server knows the address, we do not */
const EMAIL = "user@example.com";

export function sshKeyRoutes(world: World): Routes {
  const { sshKeys } = world;
  return {
    "POST /user/ssh-key/add": ({ body, caller }) => {
      const reader = readerOf(body);
      const public_key = reader.requiredText("public_key").trim();
      const name = reader.text("name") ?? EMAIL;
      if (!/^(ssh|ecdsa|sk)-\S+ \S+/.test(public_key)) reader.problem("public_key", "Not an OpenSSH public key");
      reader.check();
      const twin = [...sshKeys.values()].find(
        (one) => one.account === caller.account && isSameKey(one.public_key, public_key),
      );
      if (twin) throw refusal(409, `This public key is registered already as ${twin.id}`);
      const id = world.ids("k"); // guessed: the form of the id
      sshKeys.set(id, { ...caller, id, name, public_key });
      return ok({ key_id: id, message: `SSH key ${name} added` });
    },
    "GET /user/ssh-key/list": ({ caller, query }) => {
      const found = [...sshKeys.values()].filter((one) => isListed(one, caller, isTrue(query, "include_org")));
      const keys = found.map(({ id, name, public_key }) => ({ id, name, public_key }));
      return ok({ message: keys.map(({ id, name }) => `${id}  ${name}`).join("\n") || "No SSH keys found", keys });
    },
    "DELETE /user/ssh-key/remove/{key_id}": ({ caller, id }) => {
      if (sshKeys.get(id)?.account !== caller.account) throw refusal(404, `SSH key ${id} not found`);
      sshKeys.delete(id);
      return ok({ message: `SSH key ${id} removed` });
    },
  };
}

/** The comment at the end of the line is no part of a key. */
function isSameKey(one: string, other: string): boolean {
  const [oneKey, otherKey] = [one, other].map((line) => line.split(/\s+/, 2).join(" "));
  return oneKey === otherKey;
}
