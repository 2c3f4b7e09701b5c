import type { Io } from "../../provider/command/io.ts";
import { run } from "../../provider/command/run.ts";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `pulumi-tensorpool` in this process against the API at `url`. */
export async function command(
  url: string,
  args: readonly string[],
  isTerminal = false,
  signal: AbortSignal = new AbortController().signal,
  more: Partial<Pick<Io, "env" | "input" | "pulumi" | "out">> = {},
): Promise<Ended> {
  let [out, err] = ["", ""];
  const code = await run(args, {
    env: { TENSORPOOL_KEY: "test-key", TENSORPOOL_ENGINE: url },
    platform: "linux",
    isTerminal,
    signal,
    input: () => Promise.reject(new Error("there is no stdin here")),
    pulumi: () => Promise.reject(new Error("there is no Pulumi here")),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    ...more,
  });
  return { code, out, err };
}
