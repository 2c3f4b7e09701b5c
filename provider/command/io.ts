/** What a command may use of its process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the system that it runs on. */
  readonly platform: NodeJS.Platform;
  /** Whether `err` goes to a terminal, which can show progress. */
  readonly isTerminal: boolean;
  /** Ends the command, at Ctrl-C. */
  readonly signal: AbortSignal;
  /** All of stdin. */
  input(): Promise<string>;
  /** What the Pulumi CLI prints. @throws Error when it cannot be run, or fails */
  pulumi(args: readonly string[]): Promise<string>;
  out(text: string): void;
  err(text: string): void;
}

/** What the command ends with. These numbers are documented and never change. */
export const EXIT = {
  done: 0,
  failed: 1,
  orphans: 1,
  usage: 2,
  alreadyFinished: 3,
  cannotTell: 4,
  interrupted: 130,
} as const;

/** What a command ends with when it fails: a night's check must tell "there are some" from "nobody knows". */
export function failedCode([name]: readonly string[]): number {
  return name === "orphans" ? EXIT.cannotTell : EXIT.failed;
}

/** The command line is not one that the command knows. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
