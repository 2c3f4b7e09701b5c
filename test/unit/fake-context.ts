import { type Api, createApi } from "../../provider/api/client.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../provider/api/transport.ts";
import type { Context, Progress } from "../../provider/context.ts";
import { pulumiAdvice } from "../../provider/hooks/advice.ts";
import type { Clock } from "../../provider/wait/clock.ts";
import { createScheduler } from "../../provider/wait/scheduler.ts";
import { type VirtualClock, virtualClock } from "../virtual-clock.ts";

export const KEY = "tp-secret-key-0123456789";
export const BASE_URL = "https://engine.example";

/** What the far end does with one request: answers, or breaks the connection with an error. */
export type Move =
  | Error
  | { status?: number; headers?: Readonly<Record<string, string>>; body?: unknown; after?: () => void };

export interface Sent extends HttpRequest {
  readonly atMs: number;
}

/** A far end that makes one move after the other, the last one again and again. */
function scripted(clock: VirtualClock, moves: readonly Move[]): { transport: Transport; sent: Sent[] } {
  const sent: Sent[] = [];
  const transport: Transport = async (request) => {
    const move = moves[Math.min(sent.length, moves.length - 1)] ?? {};
    sent.push({ ...request, atMs: clock.now() });
    if (move instanceof Error) throw move;
    move.after?.();
    return response(move);
  };
  return { transport, sent };
}

export function response({ status = 200, headers = {}, body = {} }: Exclude<Move, Error>): HttpResponse {
  return { status, header: (name) => headers[name], body: typeof body === "string" ? body : JSON.stringify(body) };
}

/** An error of a connection as Node and undici give it. */
export function broken(code: string, message = `it broke (${code})`): Error {
  return Object.assign(new Error(message), { code });
}

export interface FakeContext extends Context {
  readonly clock: VirtualClock;
  readonly sent: Sent[];
  readonly progress: Progress[];
  readonly said: string[];
  readonly stop: AbortController;
}

/** A context over a scripted far end, on virtual time. */
export function fakeContext(moves: readonly Move[]): FakeContext {
  const clock = virtualClock();
  const { api, sent } = fakeApi(clock, moves);
  const progress: Progress[] = [];
  const said: string[] = [];
  const stop = new AbortController();
  return {
    api,
    sent,
    clock,
    stop,
    progress,
    said,
    keyId: "00000000",
    signal: stop.signal,
    resource: "train",
    report: (one) => void progress.push(one),
    say: (severity, message) => void said.push(`${severity}: ${message}`),
    mayBuy: async () => undefined,
  };
}

export function fakeApi(clock: VirtualClock, moves: readonly Move[]): { api: Api; sent: Sent[] } {
  const { transport, sent } = scripted(clock, moves);
  return { api: apiOver(clock, transport), sent };
}

/** An API behind this transport, with advice for users of Pulumi. */
export function apiOver(clock: Clock, transport: Transport): Api {
  const scheduler = createScheduler(clock);
  return createApi({ baseUrl: BASE_URL, key: KEY, transport, scheduler, clock, advice: pulumiAdvice });
}
