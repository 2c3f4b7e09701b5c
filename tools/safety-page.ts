/** A program that tries to make the package lose or buy twice, and how the page calls it. */
export interface Trial {
  readonly key: "memory" | "host" | "kill";
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

export const TRIALS: readonly Trial[] = [
  {
    key: "memory",
    title: "Hooks in one process, on virtual time",
    command: "npm run chaos -- --runs 2000 --seed 1",
    args: ["test/chaos/main.ts", "--runs", "2000", "--seed", "1"],
  },
  {
    key: "host",
    title: "Pulumi's real Node host, with SIGKILL",
    command: "npm run chaos -- --host --runs 40 --seed 1",
    args: ["test/chaos/main.ts", "--host", "--runs", "40", "--seed", "1"],
  },
  {
    key: "kill",
    title: "The real CLI, killed and interrupted",
    command: "npm run test:kill -- --rounds 36 --seed 1",
    args: ["test/cli/kill.ts", "--rounds", "36", "--seed", "1"],
  },
];

/** The last lines that each trial has printed. */
export type Printed = Readonly<Record<Trial["key"], string>>;

/** The page `docs/safety.md` about trials that have printed this. */
export function safetyPage(printed: Printed): string {
  const rows = TRIALS.map((trial) => rowOf(trial, printed[trial.key]));
  const blocks = TRIALS.map(({ key, command }) => `\`${command}\`\n\n${block(key, printed[key])}`);
  return `${HEAD}
| Trial | Runs | Commands | Requests | Faults | Kills and Ctrl-Cs | Lost | Bought twice | Not converged |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

${MIDDLE}
## What the trials printed

${blocks.join("\n\n")}
`;
}

/** What the trials have printed, read back from a page. @throws when a block is missing */
export function printedOn(page: string): Printed {
  const of = (key: Trial["key"]): string => {
    const text = new RegExp(`^<!-- ${key} -->\n\n\`\`\`text\n(.*?)\n\`\`\`$`, "ms").exec(page)?.[1];
    if (text === undefined) throw new Error(`Cannot read docs/safety.md: it lacks what the trial "${key}" has printed`);
    return text;
  };
  return { memory: of("memory"), host: of("host"), kill: of("kill") };
}

function block(key: string, text: string): string {
  return `<!-- ${key} -->\n\n\`\`\`text\n${text}\n\`\`\``;
}

function rowOf({ title }: Trial, text: string): string {
  const line = (start: string): string | undefined => new RegExp(`^${start}: (.*)$`, "m").exec(text)?.[1];
  const count = (word: string): string =>
    shown(Number(new RegExp(`(?:^|, )${word} (\\d+)`, "m").exec(text)?.[1] ?? Number.NaN));
  const cells = [
    count("(?:runs|rounds)"),
    count("commands"),
    count("requests"),
    shown(total(line("faults"))),
    shown(total(line("kills and cancels"))),
    count("lost"),
    count("bought twice"),
    count("not converged"),
  ];
  return `| ${[title, ...cells].join(" | ")} |`;
}

function total(counts = ""): number {
  const all = [...counts.matchAll(/(\d+)(?=[,;]|$)/g)].map(([count]) => Number(count));
  return all.length === 0 ? Number.NaN : all.reduce((sum, one) => sum + one, 0);
}

function shown(count: number): string {
  return Number.isNaN(count) ? "–" : count.toLocaleString("en-US");
}

const HEAD = `# Why it is safe

> Nothing billed is ever lost, and nothing is ever bought twice.

Do not take it on trust: three programs try to disprove it, and you can run them. They create, edit and destroy stacks, and kill or interrupt engine and provider at any moment. In the first two the stacks and edits are random, and
the API fails in every way that the [emulator](../test/emulator/README.md#faults) knows: answers that are lost, broken, late or refused, before or after it has acted, and operations that fail or hang. Then the user does what the messages
say, the troubles stop, and what is billed is compared with what the state holds. \`npm run docs:safety\` writes this page from what they printed.
`;

const MIDDLE = `- **Lost**: something was billed that was in no state.
- **Bought twice**: two objects of one resource were billed at one time, or more was bought than the program asks for.
- **Not converged**: \`pulumi up\` and \`pulumi destroy\` did not succeed in the end.

## Why it holds

1. **The name comes first.** A name is made of the stack's seed, which lies in the state before anything is bought, and the resource's URN. Whoever crashes leaves an object that only this
   resource of this stack can have made.
2. **Look, then buy, once.** A create reads both lists before it is sent. It is sent a second time only when the answer promises that nothing was done, or when a minute of looking has found nothing.
3. **From the 202 on it is in the state.** Whatever ends the wait is handed to the engine as an error _with_ id, outputs and request: the next \`up\` goes on waiting for that very request.
4. **"Cannot see" is not "gone".** Only what is denied by id and missing in both lists, seen with the key that showed it last, leaves the state.
5. **Nobody buys for a dead engine.** Right before each call that can buy the engine is asked whether it is still there.

[ARCHITECTURE.md](../ARCHITECTURE.md#how-nothing-is-lost-and-nothing-bought-twice) tells where each stands in the code.

## What it does not cover

- **The real API.** All trials buy from the emulator. Where the API's documentation is silent, [the README](../README.md#limits-and-assumptions) says what is assumed: the trials respect these assumptions, and prove
  nothing beyond them. A create that takes effect later than assumed, after a second one was sent, is told: \`up\` names both, and you destroy one.
- **A name of your own choice.** After a crash nothing proves whose the object of that name is. The next \`up\` buys nothing, and stops with the id and the \`adopt\` line to add.
- **A crash that nobody follows up.** Until the next \`up\` or \`destroy\` of that stack it stays billed: [the check for orphans](../README.md#in-a-pipeline) tells of it every night.
- **What you take away yourself.** \`retainOnDelete\`, \`pulumi state delete\` and a removed stack leave objects behind, as everywhere in Pulumi.
`;
