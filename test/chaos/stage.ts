import type { Clock } from "../../provider/wait/clock.ts";
import type { Plugin } from "../engine/plugin.ts";
import type { Server } from "./server.ts";

/** Where a run takes place: in this process on virtual time, or with real processes in real time. */
export interface Stage {
  readonly clock: Clock;
  readonly server: Server;
  /** Lets time go on until `promise` has an outcome. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Starts a provider process. */
  start(): Promise<ProviderProcess>;
  /** Lets time go on until all processes have ended whose engine is gone. */
  orphansEnded(): Promise<void>;
  close(): Promise<void>;
}

export interface ProviderProcess {
  readonly plugin: Plugin;
  /** SIGKILL: what it has sent is under way, and nothing else ever comes of it. */
  kill(): void;
  /** The engine is gone and the process lives on, until it notices. */
  orphan(): void;
  /** What the engine does at the end of every command. */
  end(): Promise<void>;
}
