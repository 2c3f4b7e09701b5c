import { recordIn } from "../api/wire.ts";
import { text } from "../json.ts";
import { type Found, type Looking, page } from "../operations/look.ts";
import { type CallOptions, type Core, run } from "./run.ts";

export interface ListOptions extends CallOptions {
  /** Also what the key's organization owns. @default false */
  readonly includeOrg?: boolean;
}

/** All objects of a kind: the key's own, and on demand the organization's, each once. */
export function listAll(core: Core, kind: Looking, options: ListOptions): Promise<Found[]> {
  const { includeOrg = false } = options;
  return run(core, `list ${kind.noun}s`, options, async ({ api, signal }) => {
    // The API's include_org shows the organization's objects instead of the personal ones.
    const queries: Record<string, string>[] = includeOrg ? [{}, { include_org: "true" }] : [{}];
    const lists = await Promise.all(queries.map((query) => page(api, kind, query, signal)));
    const all = lists.flatMap((list) => {
      if (list === undefined) {
        throw new Error(`Cannot list ${kind.noun}s: ${api.baseUrl} has no such list. Check ${api.advice.address}`);
      }
      return list;
    });
    return [...new Map(all.map((found) => [found.id, found])).values()];
  });
}

/** The one with this id. @throws ApiError 404 when there is none */
export function getOne(core: Core, kind: Looking, id: string, options: CallOptions): Promise<Found> {
  return run(core, `get ${kind.noun} "${id}"`, options, async ({ api, signal }) => {
    const { body } = await api.call(kind.routes.info, { id, signal });
    const record = recordIn(body, kind.infoKey);
    return { id: text(record, "id") ?? id, live: kind.known(record) };
  });
}
