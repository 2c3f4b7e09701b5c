import { type Looking, listed } from "../operations/look.ts";
import { looking } from "../operations/public-key.ts";
import { sshKeyResource as resource } from "../operations/ssh-key.ts";
import type { NewSshKey } from "./args.ts";
import { given } from "./inputs.ts";
import { type ListOptions, listAll } from "./list.ts";
import type { Destroyed } from "./objects.ts";
import { type SshKeyRecord, sshKeyRecord } from "./records.ts";
import { type CallOptions, type Core, run } from "./run.ts";

/** Registered SSH keys. */
export interface SshKeys {
  /** All that the key sees, each once. */
  list(options?: ListOptions): Promise<SshKeyRecord[]>;
  /** @throws Error that names the id of a key that is registered already */
  add(key: NewSshKey, options?: CallOptions): Promise<SshKeyRecord>;
  /** Takes a key out of the account. */
  remove(id: string, options?: CallOptions): Promise<Destroyed>;
}

export function sshKeyCalls(core: Core): SshKeys {
  const kind: Looking = looking;
  return {
    async list(options = {}) {
      return (await listAll(core, kind, options)).map(({ id, live }) => sshKeyRecord(id, live));
    },
    async add(key, options = {}) {
      const { inputs, failures } = resource.check({}, given(key));
      if (failures.length > 0) throw new TypeError(failures.map(({ reason }) => reason).join("; "));
      const { id, outputs } = await run(core, "register the SSH key", options, (context) =>
        resource.create(context, inputs),
      );
      return sshKeyRecord(id, outputs);
    },
    remove: (id, options = {}) =>
      run(core, `remove SSH key "${id}"`, options, async (context) => {
        const list = await listed(context, kind);
        if (list !== undefined && !list.some((one) => one.id === id)) return "not found";
        await resource.destroy(context, id, {});
        return "destroyed";
      }),
  };
}
