import type { Fields } from "../json.ts";
import { attach, finishAttach } from "./attach.ts";
import { isAttached, whenCalm } from "./attached.ts";
import { detach } from "./detach.ts";
import { diff } from "./diff.ts";
import { endsIn, attachmentFields as fields } from "./ends.ts";
import { refuseOtherKey } from "./gone.ts";
import { RESOLVED } from "./hidden.ts";
import { stillPending } from "./pending.ts";
import { alone } from "./registry.ts";
import { plain, type Resource } from "./resource.ts";
import { inputsOf, outputsOf, pendingOf } from "./state.ts";

export const storageAttachmentResource: Resource = {
  noun: "storage attachment",
  ...plain({ className: "StorageAttachment", fields }),
  diff(olds, news) {
    // A placeholder that refresh has healed names the same end as before: nothing is attached anew.
    const ends: Fields = { ...endsIn(olds) };
    const same = Object.keys(fields).filter((key) => news[key] === ends[key]);
    return diff(fields, olds, { ...news, ...Object.fromEntries(same.map((key) => [key, olds[key]])) });
  },
  create: attach,
  async update(context, _id, olds, news) {
    const pending = pendingOf(olds);
    const kept = (before: Fields): Fields =>
      outputsOf(fields, news, { before, live: { [RESOLVED]: before[RESOLVED] } });
    if (pending === undefined) return kept(olds);
    const ends = endsIn(olds);
    const done = await alone(context.api, [ends.clusterId, ends.storageId], () =>
      finishAttach(context, olds, ends, pending, true),
    );
    return kept(done.outputs);
  },
  async read(context, id, olds) {
    const [clusterId = "", storageId = ""] = id.split("/");
    const ends = { clusterId, storageId };
    const isGet = olds["clusterId"] === undefined;
    // Asked before the look, which then shows what has come of it.
    const pending = await stillPending(context, pendingOf(olds));
    let attached = await isAttached(context, ends);
    // While the cluster restarts, the volume may be on its way out, by a detach that nobody has waited for.
    if (attached === "yes" && (await whenCalm(context, ends))) attached = await isAttached(context, ends);
    if (isGet && attached !== "yes")
      throw new Error(`Cannot get storage attachment "${id}": the API shows no such attachment`);
    if (attached === "no ends") refuseOtherKey(context, "storage attachment", id, olds);
    const mayCome = pending !== undefined || attached === "cannot look";
    if (attached !== "yes" && !mayCome) return "gone";
    const inputs: Fields = isGet ? { ...olds, ...ends } : olds;
    const outputs = outputsOf(fields, inputs, {
      before: olds,
      keyId: attached === "yes" ? context.keyId : undefined,
      pending: attached === "yes" ? undefined : pending,
    });
    return {
      id,
      outputs: { ...outputs, [RESOLVED]: olds[RESOLVED], status: undefined },
      inputs: inputsOf(fields, outputs),
    };
  },
  destroy: (context, _id, olds) => detach(context, olds),
};
