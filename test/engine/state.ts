import type { Props } from "./plugin.ts";

/** A resource in the engine's state. */
export interface ResourceState {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Props;
  readonly outputs: Props;
  /** Why it is not ready: such a resource is updated by the next `up`, whatever its diff says. */
  readonly initErrors: readonly string[];
  readonly dependencies: readonly string[];
  /** The resources that each input was made of. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly protect: boolean;
  /** Its replacement exists already; it is still to be deleted. */
  readonly delete?: true;
  /** It is deleted; its replacement is still to be created. */
  readonly pendingReplacement?: true;
}

/** Written before an operation begins and taken back when it is over: what a crash leaves behind. */
export interface PendingOperation {
  readonly type: "creating" | "updating" | "deleting" | "reading";
  readonly urn: string;
  readonly inputs: Props;
}

export interface State {
  readonly resources: readonly ResourceState[];
  readonly pendingOperations: readonly PendingOperation[];
}

/** The checkpoint: JSON in one place, written whole at the begin and at the end of every step. */
export interface Store {
  read(): State;
  write(state: State): void;
}

export function memoryStore(): Store {
  let text = JSON.stringify({ resources: [], pendingOperations: [] } satisfies State);
  return {
    read: (): State => JSON.parse(text),
    write: (state) => {
      text = JSON.stringify(state);
    },
  };
}

/** The checkpoint during one command, as the engine keeps it in memory. */
export interface Snapshot {
  readonly resources: readonly ResourceState[];
  begin(operation: PendingOperation): void;
  end(operation: PendingOperation): void;
  /** Puts `now` where `before` was, or at the end; without `now` takes `before` out. */
  put(before: ResourceState | undefined, now: ResourceState | undefined): void;
}

/** @param mayWrite a killed engine writes nothing more */
export function openSnapshot(store: Store, mayWrite: () => boolean): Snapshot {
  const state = store.read();
  let resources = [...state.resources];
  // A create that was under way when an engine died stays until the user clears it; other operations do not.
  let pendingOperations = state.pendingOperations.filter(({ type }) => type === "creating");
  const write = (): void => {
    if (mayWrite()) store.write({ resources, pendingOperations });
  };
  return {
    get resources() {
      return resources;
    },
    begin(operation) {
      pendingOperations = [...pendingOperations, operation];
      write();
    },
    end(operation) {
      pendingOperations = pendingOperations.filter((one) => one !== operation);
      write();
    },
    put(before, now) {
      const place = before === undefined ? -1 : resources.indexOf(before);
      resources =
        place < 0
          ? [...resources, ...(now ? [now] : [])]
          : [...resources.slice(0, place), ...(now ? [now] : []), ...resources.slice(place + 1)];
      write();
    },
  };
}
