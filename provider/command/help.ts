const EXIT_CODES = `Exit codes:
  0    done; orphans: there are none
  1    failed; the reason is on stderr (orphans: there is at least one)
  2    the command line is wrong
  3    jobs cancel: the job had finished already
  4    orphans: it cannot be told whether there are any; the reason is on stderr
  130  interrupted (Ctrl-C, or nobody reads the output any more)
`;

const ENVIRONMENT = `Environment:
  TENSORPOOL_KEY     the API key (required)
  TENSORPOOL_ENGINE  the API's address (default https://engine.tensorpool.dev)
`;

const HELP = `Usage: pulumi-tensorpool <command> [options]

Commands:
  jobs list                      list jobs
  jobs info ID                   show one job
  jobs pull ID [FOLDER]          download a job's output files
  jobs cancel ID                 cancel a job and wait until it is over
  import KIND ID...              bring what exists into a Pulumi stack
  orphans --stack-export FILE... list what is billed and in none of the given states

Options of every command:
  --json      print JSON on stdout, and nothing else there
  -h, --help  show help; also of one command: pulumi-tensorpool jobs pull --help
  --version   print the version of this package

${ENVIRONMENT}
${EXIT_CODES}`;

const USAGES: Readonly<Record<string, string>> = {
  "jobs list": `Usage: pulumi-tensorpool jobs list [--org] [--json]

Lists the jobs of the API key's account.

  --org   also those of the organization
  --json  print a JSON list of jobs
`,
  "jobs info": `Usage: pulumi-tensorpool jobs info ID [--json]

Shows one job.

  --json  print the job as a JSON object
`,
  "jobs pull": `Usage: pulumi-tensorpool jobs pull ID [FOLDER] [options]

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
  "jobs cancel": `Usage: pulumi-tensorpool jobs cancel ID [--timeout SECONDS] [--json]

Cancels a job and waits until it is over. Ends with 3 when the job had finished by itself.

  --timeout SECONDS  stop waiting after this time (default 1800); the cancel goes on at the server
  --json             print a JSON object: outcome ("cancelled" or "already finished") and job
`,
  import: `Usage: pulumi-tensorpool import cluster|volume|attachment|key|bucket ID... [options]

Brings what exists into the stack of a Pulumi program, unchanged: writes a file for "pulumi import" and prints the command
to run with it and the TypeScript that belongs into the program. Needs the Pulumi CLI 3.254 or newer. Changes nothing by
itself. Give ids (of an attachment CLUSTER/VOLUME, of a bucket its name), of one kind at a time; import one file before
you ask for the next. "pulumi import" protects what it imports: take "protect" out of the program before you destroy it.
All goes to the stack's default provider, so the API key must be of its account.

  --out FILE           the file to write (default tensorpool-import.json)
  --overwrite          replace FILE when it is there
  --stack NAME         of which stack (default: the one that is selected in this folder)
  --stack-export FILE  the stack's state, as "pulumi stack export" writes it, "-" for stdin (default: the Pulumi CLI is
                       asked for it); it tells the names that are taken and the seed of the stack's own names
  --json               print a JSON object: file, resources (type, name, id), command and program

Ends with 1, and writes nothing, when one of the objects is not there, is not ready, or is in the state already.

  npx pulumi-tensorpool import cluster c-1 c-2
  pulumi import --file tensorpool-import.json --generate-code=false
`,
  orphans: `Usage: pulumi-tensorpool orphans --stack-export FILE [FILE...] [--json]

Lists the clusters and volumes that the API key's account and its organization pay for and that are in none of the given
states, each with its price where the API tells, and how to manage or destroy it. Give the states of all stacks that use
the account, and none while "pulumi up" is running in one of them. What an interrupted create has bought is no orphan: it
is listed apart, and the next "pulumi up" goes on with it. What a program only looks up with ".get" is in no state.

  --stack-export FILE  a state, as "pulumi stack export" writes it; "-" for stdin
  --json               print a JSON object: billed (a number), orphans and unfinished (lists)

Ends with 0 when there are none, 1 when there are some, and 4 when it cannot be told.

  pulumi stack export --stack prod | npx pulumi-tensorpool orphans --stack-export -
`,
};

/** @param command such as `jobs list` */
export function helpOf(command: string): string {
  const usage = Object.hasOwn(USAGES, command) ? USAGES[command] : undefined;
  return usage === undefined ? HELP : `${usage}\n${ENVIRONMENT}\n${EXIT_CODES}`;
}
