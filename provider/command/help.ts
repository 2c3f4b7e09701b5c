const EXIT_CODES = `Exit codes:
  0    done
  1    failed; the reason is on stderr
  2    the command line is wrong
  3    jobs cancel: the job had finished already
  130  interrupted (Ctrl-C)
`;

const ENVIRONMENT = `Environment:
  TENSORPOOL_KEY     the API key (required)
  TENSORPOOL_ENGINE  the API's address (default https://engine.tensorpool.dev)
`;

const HELP = `Usage: pulumi-tensorpool <command> [options]

Commands:
  jobs list                list jobs
  jobs info ID             show one job
  jobs pull ID [FOLDER]    download a job's output files
  jobs cancel ID           cancel a job and wait until it is over

Options of every command:
  --json      print JSON on stdout, and nothing else there
  -h, --help  show help; also of one command: pulumi-tensorpool jobs pull --help

${ENVIRONMENT}
${EXIT_CODES}`;

const USAGES: Readonly<Record<string, string>> = {
  list: `Usage: pulumi-tensorpool jobs list [--org] [--json]

Lists the jobs of the API key's account.

  --org   also those of the organization
  --json  print a JSON list of jobs
`,
  info: `Usage: pulumi-tensorpool jobs info ID [--json]

Shows one job.

  --json  print the job as a JSON object
`,
  pull: `Usage: pulumi-tensorpool jobs pull ID [FOLDER] [options]

Downloads the output files of a completed job into FOLDER (default: the current one). A broken connection is taken up
again where it broke off; each file gets its name only when it is whole. For a job whose machine is still there the API
gives a command instead: it is printed and never run.

  --dry-run            list the files, download nothing
  --overwrite          replace files that are there (default: keep them)
  --at-once N          files under way at the same time (default 4)
  --system S           windows, linux or darwin: for which system the API writes its command (default: this one)
  --private-key-path P the private key file that the command is to name; only its path is sent
  --json               print a JSON object: message, command, commandShowStdout, and files (downloadMap in a dry run)
`,
  cancel: `Usage: pulumi-tensorpool jobs cancel ID [--timeout SECONDS] [--json]

Cancels a job and waits until it is over. Ends with 3 when the job had finished by itself.

  --timeout SECONDS  stop waiting after this time (default 1800); the cancel goes on at the server
  --json             print a JSON object: outcome ("cancelled" or "already finished") and job
`,
};

export function helpOf(command: string | undefined): string {
  const usage = command === undefined ? undefined : USAGES[command];
  return usage === undefined ? HELP : `${usage}\n${ENVIRONMENT}\n${EXIT_CODES}`;
}
