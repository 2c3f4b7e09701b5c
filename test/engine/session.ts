import type { Plugin } from "./plugin.ts";
import { openSnapshot, type Snapshot, type Store } from "./state.ts";

export interface CommandOptions {
  readonly plugin: Plugin;
  readonly store: Store;
  /** Steps at once. */
  readonly parallel: number;
  /** Becomes true when the engine is killed: from then on it does nothing any more. */
  readonly isDead?: () => boolean;
  readonly trace?: (line: string) => void;
}

export interface Failure {
  readonly urn: string;
  readonly messages: readonly string[];
}

export interface Outcome {
  readonly ok: boolean;
  readonly failures: readonly Failure[];
}

/** A command of the engine that is running. */
export interface Command {
  readonly outcome: Promise<Outcome>;
  /** What the first Ctrl-C does: tells the plugin, starts no further step, and waits for those under way. */
  cancel(): void;
}

/** One command while it runs. */
export interface Session {
  readonly plugin: Plugin;
  readonly snapshot: Snapshot;
  readonly failures: Failure[];
  /** After a failure or Ctrl-C those steps that run are waited for and no other is begun. */
  isStopping(): boolean;
  fail(urn: string, messages: readonly string[]): void;
  readonly trace: (line: string) => void;
  /** The result of a call; never, when the engine is killed before it comes. */
  alive<T>(promise: Promise<T>): Promise<T>;
  /** Runs a chain of steps when there is room for it, unless the command stops before. */
  inTurn(chain: () => Promise<void>): Promise<void>;
}

export function startCommand(options: CommandOptions, body: (session: Session) => Promise<void>): Command {
  const { plugin, store, parallel, isDead = () => false, trace = () => undefined } = options;
  const failures: Failure[] = [];
  let isCancelled = false;
  let running = 0;
  const queue: (() => void)[] = [];

  const session: Session = {
    plugin,
    snapshot: openSnapshot(store, () => !isDead()),
    failures,
    isStopping: () => isCancelled || failures.length > 0,
    fail(urn, messages) {
      failures.push({ urn, messages });
      trace(`FAILED ${nameOf(urn)}: ${messages.join(" | ")}`);
    },
    trace,
    alive: (promise) =>
      new Promise((resolve, reject) => {
        promise.then(
          (value) => isDead() || resolve(value),
          (error: unknown) => isDead() || reject(error),
        );
      }),
    async inTurn(chain) {
      if (running >= parallel) await new Promise<void>((resolve) => queue.push(resolve));
      running += 1;
      try {
        if (!session.isStopping()) await chain();
      } finally {
        running -= 1;
        queue.shift()?.();
      }
    },
  };

  async function run(): Promise<Outcome> {
    await body(session);
    if (isCancelled) failures.push({ urn: "", messages: ["cancelled"] });
    return { ok: failures.length === 0, failures };
  }

  return {
    outcome: run(),
    cancel() {
      isCancelled = true;
      plugin.cancel().catch(() => undefined);
    },
  };
}

export function nameOf(urn: string): string {
  return urn.split("::").at(-1) ?? urn;
}

/** What an error of a plugin says to the user. */
export function messagesOf(error: unknown): string[] {
  if (error instanceof Error && "reasons" in error && Array.isArray(error.reasons)) return error.reasons.map(String);
  return [error instanceof Error ? error.message : String(error)];
}
