import { LARGEST_ANSWER_BYTES, type Transport } from "../../provider/api/transport.ts";
import type { Clock } from "../../provider/wait/clock.ts";
import { retryAfterMs } from "../../provider/wait/retry-after.ts";
import type { Answer } from "../emulator/answer.ts";
import { requestIdsIn } from "../emulator/trouble.ts";
import type { Dice } from "./dice.ts";
import type { ProcessWatch } from "./early.ts";
import type { Life } from "./mortal.ts";
import type { Server } from "./server.ts";

export interface WireOptions {
  readonly server: Server;
  /** The world's: what is on the wire goes on when the process that sent it is dead. */
  readonly clock: Clock;
  readonly life: Life;
  readonly told: ProcessWatch;
  readonly dice: Dice;
}

/** The network between one process and the server, with undici's limits and error codes. */
export function wire({ server, clock, life, told, dice }: WireOptions): Transport {
  return ({ method, url, headers, body, signal }) => {
    if (life.isOver) return new Promise(() => undefined);
    const { pathname } = new URL(url);
    told.sent(pathname, clock.now());

    async function roundTrip(): Promise<Answer> {
      await clock.sleep(dice.whole(1, 60));
      const closing = new AbortController().signal;
      const readBody = async (): Promise<string> => body ?? "";
      const outcome = await server.respond({ method, url: new URL(url), headers, signal: closing, readBody });
      await clock.sleep(dice.whole(1, 60));
      if (outcome === "lost") throw Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
      if (outcome === "reset") throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
      return outcome;
    }

    return life.during(
      unless(signal, roundTrip()).then((answer) => {
        const text = textOf(answer.body);
        if (text.length > LARGEST_ANSWER_BYTES) {
          throw Object.assign(new Error("Response content exceeded max size"), {
            code: "UND_ERR_RES_EXCEEDED_MAX_SIZE",
          });
        }
        const header = (name: string): string | undefined => answer.headers?.[name];
        const nowMs = clock.now();
        const waitMs = retryAfterMs(header("retry-after"), header("date"), nowMs);
        const requestIds = answer.status === 202 && text.startsWith("{") ? requestIdsIn(answer.body) : [];
        if (!life.isOver) told.received(pathname, { status: answer.status, waitMs, requestIds }, nowMs);
        return { status: answer.status, header, body: text };
      }),
    );
  };
}

function textOf(body: Answer["body"]): string {
  if (typeof body === "string") return body;
  return body === undefined || body instanceof Uint8Array ? "" : JSON.stringify(body);
}

function unless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
