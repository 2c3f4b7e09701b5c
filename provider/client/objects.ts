import type { Context } from "../context.ts";
import type { Fields } from "../json.ts";
import { capacityTimeoutSeconds } from "../operations/capacity-words.ts";
import { edit } from "../operations/edit.ts";
import { finish } from "../operations/finish.ts";
import { lookUp } from "../operations/gone.ts";
import type { ObjectKind } from "../operations/kind.ts";
import { seen } from "../operations/look.ts";
import { alone, registryOf } from "../operations/registry.ts";
import { objectResource } from "../operations/resource.ts";
import { objectIdOf, requestIn, type Tracked } from "../operations/state.ts";
import { checkChanges, checked, given, ownName } from "./inputs.ts";
import { getOne, type ListOptions, listAll } from "./list.ts";
import { type CallOptions, type Core, CREATE_LIMIT_MS, run } from "./run.ts";

export interface CreateWaitOptions extends CallOptions {
  /** Requests to wait for first, as an UnfinishedError names them. @default none */
  readonly requestIds?: readonly string[];
  /** Not to be asked before, as an UnfinishedError says. @default what this client was told */
  readonly askAfterMs?: number | undefined;
}

/** What became of a destroy: `not found` when there was nothing of this id to destroy. */
export type Destroyed = "destroyed" | "not found";

/** What clusters and storage volumes have in common; `A` is what a new one takes, `C` what can be changed in place. */
export interface ObjectCalls<R, A, C> {
  /** All that the key sees, each once. */
  list(options?: ListOptions): Promise<R[]>;
  /** @throws ApiError 404 when there is none */
  get(id: string, options?: CallOptions): Promise<R>;
  /**
   * Creates one and waits until it is ready. The create is sent once; one whose answer was lost is looked for by its name.
   * Without a name it gets one of its own.
   * @throws TypeError when an argument is wrong
   * @throws UnfinishedError when the wait ends first: `wait` goes on with it
   */
  create(args: A, options?: CallOptions): Promise<R>;
  /** Waits until one that is being created is ready. */
  wait(id: string, options?: CreateWaitOptions): Promise<R>;
  /** Changes it in place and waits until the API shows it. */
  edit(id: string, changes: C, options?: CallOptions): Promise<R>;
  /** Destroys it and waits until it is gone. A protected one is refused. */
  destroy(id: string, options?: CallOptions): Promise<Destroyed>;
}

/** The operations of the resources, for callers who keep no state. */
export function objectCalls<R, A extends object, C extends object>(
  core: Core,
  kind: ObjectKind,
  record: (id: string, live: Fields) => R,
): ObjectCalls<R, A, C> {
  const resource = objectResource(kind);
  const { noun } = kind;
  const show = ({ id, outputs }: Tracked): R => record(objectIdOf(id, outputs) ?? id, outputs);
  return {
    async list(options = {}) {
      return (await listAll(core, kind, options)).map(({ id, live }) => record(id, live));
    },
    async get(id, options = {}) {
      const found = await getOne(core, kind, id, options);
      return record(found.id, found.live);
    },
    async create(args, options = {}) {
      const inputs = checked(kind, { name: ownName(noun), ...given(args) }, options);
      const what = `create ${noun} "${String(inputs["name"])}"`;
      const limitMs = CREATE_LIMIT_MS + capacityTimeoutSeconds(inputs) * 1_000;
      return run(core, what, options, async (context) => show(await resource.create(context, inputs)), limitMs);
    },
    wait(id, options = {}) {
      const { requestIds = requestIn(id) } = options;
      const { askAfterMs = Math.max(0, ...requestIds.map((one) => core.askAfterMs.get(one) ?? 0)) } = options;
      const work = { requestIds, objectId: objectIdOf(id, {}), askAfterMs };
      const goOn = async (context: Context): Promise<R> =>
        show(await finish({ ...context, resource: id }, kind, {}, { ...work, sinceMs: context.clock.now() }));
      return run(core, `create ${noun} "${id}"`, options, goOn, CREATE_LIMIT_MS);
    },
    edit: (id, changes, options = {}) =>
      run(core, `change ${noun} "${id}"`, options, (context) =>
        alone(core.api, [id], async () => {
          const found = await seen(context, kind, id);
          if (found === undefined) throw new Error(`Cannot change ${noun} "${id}": the API knows no such id`);
          const wanted = given(changes);
          checkChanges(kind, wanted, found.live);
          return record(found.id, await edit(context, kind, { id: found.id, outputs: found.live }, wanted));
        }),
      ),
    destroy: (id, options = {}) =>
      run(core, `destroy ${noun} "${id}"`, options, async (context) => {
        const there = await lookUp(context, kind, id, {});
        if (there === "gone") return "not found";
        const serverId = there === "cannot look" ? id : there.id;
        // What this process has taken over itself is its caller's to destroy.
        registryOf(core.api).takenOver.delete(serverId);
        await resource.destroy({ ...context, resource: id }, serverId, {});
        return "destroyed";
      }),
  };
}
