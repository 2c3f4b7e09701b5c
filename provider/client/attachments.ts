import { isAttached } from "../operations/attached.ts";
import { registryOf } from "../operations/registry.ts";
import { storageAttachmentResource as resource } from "../operations/storage-attachment.ts";
import type { AttachmentEnds } from "./args.ts";
import { given } from "./inputs.ts";
import { type CallOptions, type Core, run } from "./run.ts";

/** Storage volumes on clusters. Attaching and detaching restart all nodes of the cluster. */
export interface Attachments {
  /** Attaches a volume and waits until it is attached; one that is attached already stays so. */
  attach(ends: AttachmentEnds, options?: CallOptions): Promise<void>;
  /** Detaches a volume and waits until it is detached; one that is not attached stays so. */
  detach(ends: AttachmentEnds, options?: CallOptions): Promise<void>;
  /** @throws Error when the API's records do not tell */
  isAttached(ends: AttachmentEnds, options?: CallOptions): Promise<boolean>;
}

export function attachmentCalls(core: Core): Attachments {
  return {
    async attach(ends, options = {}) {
      const { inputs, failures } = resource.check({}, given(ends));
      if (failures.length > 0) throw new TypeError(failures.map(({ reason }) => reason).join("; "));
      await run(core, `attach ${shown(ends)}`, options, (context) => resource.create(context, inputs));
    },
    detach: (ends, options = {}) =>
      run(core, `detach ${shown(ends)}`, options, (context) => {
        const id = `${ends.clusterId}/${ends.storageId}`;
        // What this process has found attached is its caller's to detach.
        registryOf(core.api).takenOver.delete(id);
        return resource.destroy(context, id, { ...ends });
      }),
    isAttached: (ends, options = {}) =>
      run(core, `look for ${shown(ends)}`, options, async (context) => {
        const found = await isAttached(context, ends);
        if (found !== "cannot look") return found === "yes";
        throw new Error(`Cannot tell whether ${shown(ends)} are attached: the API's records do not say`);
      }),
  };
}

function shown({ clusterId, storageId }: AttachmentEnds): string {
  return `volume ${storageId} and cluster ${clusterId}`;
}
