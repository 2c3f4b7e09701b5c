import type { Progress } from "../context.ts";
import type { Host } from "./host.ts";

/** The row must show life at least this often. */
const BEAT_MS = 10_000;
/** Pipelines end jobs that say nothing for long: there, a plain line at least this often. */
const PLAIN_MS = 60_000;

export interface Row {
  readonly urn: string | undefined;
  /** Such as `creating`. */
  readonly verb: string;
  readonly resource: string;
}

/**
 * Shows how far an operation is, on its resource's own row: at each change, and at least every 10 s. With `CI` or
 * `TENSORPOOL_PROGRESS=plain` in the environment also as a plain line, at least every
 * minute.
 */
export function startProgress(host: Host, row: Row): { report: (progress: Progress) => void; end: () => void } {
  const { clock, engine, env } = host;
  if (engine === undefined) return { report: () => undefined, end: () => undefined };
  const sinceMs = clock.now();
  const ended = new AbortController();
  const isPlain = env["TENSORPOOL_PROGRESS"] === "plain" || (env["CI"] ?? "") !== "";
  let latest: Progress = { status: "started" };
  let plainAtMs = sinceMs;

  function show(): void {
    const nowMs = clock.now();
    const next = latest.nextAtMs === undefined ? 0 : Math.ceil((latest.nextAtMs - nowMs) / 1000);
    const parts = [
      latest.status,
      ...(latest.requestId === undefined ? [] : [`request ${latest.requestId}`]),
      ...(next > 0 ? [`next question in ${next} s`] : []),
    ];
    // The row itself shows the verb and the time that has passed; a plain line must say both.
    const isDue = isPlain && nowMs - plainAtMs > PLAIN_MS - BEAT_MS;
    if (isDue) plainAtMs = nowMs;
    const verb = isDue ? `${row.verb} for ${Math.round((nowMs - sinceMs) / 1000)} s: ` : "";
    const name = row.urn === undefined ? `${row.resource}: ` : "";
    const message = `${name}${verb}${parts.join(", ")}`;
    engine?.log({ severity: "info", message, urn: row.urn, isEphemeral: !isDue }).catch(() => undefined);
  }

  async function beat(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(BEAT_MS, ended.signal);
      show();
    }
  }
  beat().catch(() => undefined);

  return {
    report(progress) {
      const isChange = progress.status !== latest.status || progress.requestId !== latest.requestId;
      latest = progress;
      if (isChange) show();
    },
    end: () => ended.abort(),
  };
}
