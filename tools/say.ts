/** One line of progress on stderr: stdout is for what a command was asked for. */
export function say(line: string): void {
  process.stderr.write(`pulumi-tensorpool: ${line}\n`);
}
