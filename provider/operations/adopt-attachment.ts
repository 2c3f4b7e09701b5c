import type { Context } from "../context.ts";
import { type Fields, text } from "../json.ts";
import { isAttached, whenCalm } from "./attached.ts";
import { type Ends, endsOf } from "./ends.ts";
import { alone } from "./registry.ts";

/**
 * The ends of the attachment that `adopt` names, which is there. Nothing is ever attached.
 * @param given the ends that the program names besides, by the server's ids; empty where it leaves them open
 * @throws Error when they differ, or when there is no such attachment
 */
export async function adoptAttachment(context: Context, inputs: Fields, given: Ends): Promise<Ends> {
  const wanted = text(inputs, "adopt") ?? "";
  const ends = endsOf(wanted) ?? { clusterId: "", storageId: "" };
  const { clusterId, storageId } = ends;
  for (const key of ["clusterId", "storageId"] as const) {
    if (given[key] === "" || given[key] === ends[key]) continue;
    throw new Error(
      `Cannot adopt storage attachment ${wanted}: its ${key} is "${ends[key]}", not "${given[key]}". Nothing was attached. Correct the program`,
    );
  }
  return alone(context.api, [clusterId, storageId], async () => {
    await whenCalm(context, ends);
    const attached = await isAttached(context, ends);
    if (attached === "yes") return ends;
    const why =
      attached === "cannot look"
        ? "the API's records do not tell whether there is one"
        : `volume ${storageId} is not attached to cluster ${clusterId}`;
    throw new Error(
      `Cannot adopt storage attachment ${wanted}: ${why}. Nothing was attached. Correct adopt, or take it out of the program to attach the volume`,
    );
  });
}
