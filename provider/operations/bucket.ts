import type { Context } from "../context.ts";
import { InitError } from "../errors.ts";
import { type Fields, text } from "../json.ts";
import { createBucket, deleteBucket, entry, listBuckets } from "./bucket-calls.ts";
import { isTakeOver, ownNameOf } from "./check.ts";
import { type FieldTable, nameText, plainText } from "./fields.ts";
import { refuseOtherKey } from "./gone.ts";
import { KEY_ID } from "./hidden.ts";
import { mustStay, registryOf } from "./registry.ts";
import { plain, type Resource } from "./resource.ts";
import { inputsOf, outputsOf, type Tracked } from "./state.ts";

/** The name is part of the call's path. Whatever else makes a good one, the API decides. */
function bucketName(value: unknown): string | undefined {
  const isDots = typeof value === "string" && /^\.+$/.test(value);
  return isDots ? "a name of more than dots" : nameText(value);
}

const fields: FieldTable = {
  name: { wrong: bucketName, change: "replaces" },
  adopt: { wrong: plainText, change: "stored" },
};

function tracked(context: Context, inputs: Fields, name: string): Tracked {
  return { id: name, outputs: outputsOf(fields, inputs, { live: { name }, keyId: context.keyId }) };
}

async function create(context: Context, inputs: Fields): Promise<Tracked> {
  const there = await listBuckets(context);
  if (isTakeOver(inputs)) return adopted(context, inputs, there);
  const own = ownNameOf(fields, inputs);
  const name = text(inputs, "name") ?? own ?? "";
  // Beside the one that it replaces, a bucket of this name is that one.
  if (own !== undefined && inputs["__side"] !== true && there.includes(own)) {
    registryOf(context.api).takenOver.add(entry(own));
    context.say("info", `took over bucket ${own} instead of creating a second one`);
    if (own === name) return tracked(context, inputs, own);
    throw new InitError(own, tracked(context, inputs, own).outputs, [
      `Took over bucket ${own} of an interrupted run, but its name is not "${name}". ${context.api.advice.replace("it")}`,
    ]);
  }
  if (there.includes(name)) {
    throw new Error(
      `Cannot create bucket "${name}": there is one of this name already. ${context.api.advice.taken(name)}`,
    );
  }
  context.report({ status: "creating bucket" });
  await createBucket(context, name, true);
  return tracked(context, inputs, name);
}

function adopted(context: Context, inputs: Fields, there: readonly string[]): Tracked {
  const wanted = text(inputs, "adopt") ?? "";
  const name = text(inputs, "name") ?? wanted;
  if (!there.includes(wanted)) {
    throw new Error(
      `Cannot adopt bucket "${wanted}": there is none. Nothing was created. Correct adopt, or take it out of the program to create one`,
    );
  }
  if (name !== wanted) {
    throw new Error(
      `Cannot adopt bucket "${wanted}" as "${name}": a bucket cannot be renamed. Correct name, or leave it out`,
    );
  }
  registryOf(context.api).takenOver.add(entry(wanted));
  return tracked(context, inputs, wanted);
}

export const bucketResource: Resource = {
  noun: "bucket",
  ...plain({ className: "Bucket", fields }),
  create,
  // Nothing of a bucket can be changed: what comes here (adopt, timeouts) is only stored.
  update: async (_context, _id, olds, news) => outputsOf(fields, news, { before: olds }),
  async read(context, id, olds) {
    if (!(await listBuckets(context)).includes(id)) {
      if (olds[KEY_ID] === undefined) throw new Error(`Cannot get bucket "${id}": there is none of this name`);
      refuseOtherKey(context, "bucket", id, olds);
      return "gone";
    }
    const outputs = outputsOf(fields, olds, { before: olds, live: { name: id }, keyId: context.keyId });
    return { id, outputs, inputs: inputsOf(fields, outputs) };
  },
  async destroy(context, id, olds) {
    if (mustStay(context, "bucket", id, entry(id))) return;
    if (!(await listBuckets(context)).includes(id)) return refuseOtherKey(context, "bucket", id, olds);
    await deleteBucket(context, id);
  },
};
