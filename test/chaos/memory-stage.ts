import { hooksOf } from "../../provider/hooks/all.ts";
import { cancel, createHost } from "../../provider/hooks/host.ts";
import { pendingOf } from "../../provider/operations/state.ts";
import type { Plugin, Props } from "../engine/plugin.ts";
import { standIn } from "../engine/stand-in.ts";
import type { VirtualClock } from "../virtual-clock.ts";
import type { Dice } from "./dice.ts";
import type { EarlyWatch } from "./early.ts";
import { createLife, type Life, mortalClock } from "./mortal.ts";
import type { Server } from "./server.ts";
import type { ProviderProcess, Stage } from "./stage.ts";
import { wire } from "./wire.ts";

export interface MemoryOptions {
  readonly server: Server;
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly watch: EarlyWatch;
  readonly trace: (line: string) => void;
}

/** All in this process, on virtual time. A provider process is a host with hooks of its own, which a kill drops. */
export function memoryStage({ server, clock, dice, watch, trace }: MemoryOptions): Stage {
  return {
    clock,
    server,
    until: (promise) => clock.run(promise),
    // Without its engine a process ends by itself within this time.
    orphansEnded: () => clock.run(clock.sleep(30_000)),
    close: async () => undefined,
    async start(): Promise<ProviderProcess> {
      const life = createLife();
      const engineLife = createLife();
      const told = watch.process();
      const own = mortalClock(clock, life);
      const host = createHost({
        env: { TENSORPOOL_KEY: "test-key", TENSORPOOL_ENGINE: "http://emulator.test" },
        clock: own,
        transport: wire({ server, clock, life, told, dice }),
        engine: {
          async log({ message, isEphemeral, severity }) {
            await own.sleep(1);
            if (engineLife.isOver) throw new Error("14 UNAVAILABLE: No connection established");
            if (isEphemeral !== true) trace(`  ${severity}: ${message}`);
          },
        },
      });
      const plugin = dying(standIn({ hooks: { ...hooksOf(host) }, onCancel: () => cancel(host) }), life);
      /** What a failed delete or read was told by the server no state can keep. */
      const excuse = (props: Props) => (error: unknown) => {
        told.excuse(pendingOf(props)?.requestIds ?? []);
        throw error;
      };
      return {
        plugin: {
          ...plugin,
          delete: (urn, id, props) => plugin.delete(urn, id, props).catch(excuse(props)),
          read: (urn, id, props) => plugin.read(urn, id, props).catch(excuse(props)),
        },
        kill: () => life.end(),
        orphan() {
          engineLife.end();
          // The process asks every 10 s whether its engine is there, and ends at the second time that it is not.
          void clock.sleep(dice.whole(10_000, 25_000)).then(() => life.end());
        },
        async end() {
          cancel(host);
          if (!life.isOver) told.rest();
          life.end();
        },
      };
    },
  };
}

/** Calls that a process does not live to answer fail, as when the connection breaks. */
function dying(plugin: Plugin, life: Life): Plugin {
  const broken = <T>(call: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error("error reading from server: EOF"));
      if (life.isOver) return fail();
      const isSaved = life.whenOver(fail);
      call().then(resolve, reject).finally(isSaved);
    });
  return {
    check: (...args) => broken(() => plugin.check(...args)),
    diff: (...args) => broken(() => plugin.diff(...args)),
    create: (...args) => broken(() => plugin.create(...args)),
    update: (...args) => broken(() => plugin.update(...args)),
    read: (...args) => broken(() => plugin.read(...args)),
    delete: (...args) => broken(() => plugin.delete(...args)),
    cancel: () => broken(() => plugin.cancel()),
  };
}
