import { parseArgs } from "node:util";
import type { Client } from "../client/client.ts";
import { number, text } from "../json.ts";
import { CLUSTER } from "../take-over/kinds.ts";
import { findOrphans, type Orphan, type OrphanReport } from "../take-over/orphans.ts";
import { EXIT, type Io, UsageError } from "./io.ts";
import { json, printable } from "./printable.ts";
import { stateIn } from "./state.ts";

/** Compares what is billed with what the given states hold. */
export async function orphans(client: () => Client, args: string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "stack-export": { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
    },
  });
  const files = [...values["stack-export"], ...positionals];
  if (values["stack-export"].length === 0) {
    throw new UsageError("Cannot run orphans: give --stack-export FILE, as pulumi stack export --file FILE writes it");
  }
  const account = client();
  const states = await Promise.all(files.map((file) => stateIn(file, io)));
  const report = await findOrphans(account, states, io.signal);
  io.out(values.json ? json(forScripts(report)) : words(report, files.length));
  return report.orphans.length === 0 ? EXIT.done : EXIT.orphans;
}

function forScripts({ orphans: found, unfinished, billed }: OrphanReport): object {
  return {
    billed,
    orphans: found.map(({ kind, args, ...one }) => ({
      type: kind.className,
      ...one,
      ...args,
      ...ways({ kind, args, ...one }),
    })),
    unfinished: unfinished.map(({ kind, args, ...one }) => ({ type: kind.className, ...one, ...args })),
  };
}

function words({ orphans: found, unfinished, billed }: OrphanReport, states: number): string {
  const pending = unfinished.map(
    ({ kind, id, urn }) =>
      `${kind.resource.noun} ${printable(id)} is of an interrupted create of ${printable(urn)}: pulumi up goes on with it\n`,
  );
  const of = `${billed} billed, ${states} ${states === 1 ? "state" : "states"}`;
  const total = `${found.length} ${found.length === 1 ? "orphan" : "orphans"}, ${sumOf(found)} (${of})\n`;
  return [...pending, ...found.map(paragraph), found.length === 0 ? `no orphans (${of})\n` : total].join("");
}

function paragraph(one: Orphan): string {
  const { kind, id, name, status, createdAt, hourlyUsd, readBy, args } = one;
  const facts = [
    kind === CLUSTER
      ? `${number(args, "numNodes") ?? "?"} x ${text(args, "instanceType") ?? "?"}`
      : `${number(args, "sizeGb") ?? "?"} GB`,
    `${status ?? "status unknown"}${createdAt === undefined ? "" : ` since ${createdAt}`}`,
    hourlyUsd === undefined ? "price unknown" : price(hourlyUsd),
    ...readBy.map((urn) => `read, and not managed, by ${urn}`),
  ];
  const { importCommand, adopt, destroyCommand } = ways(one);
  const lines = [
    `${kind.resource.noun} ${id}${name === undefined ? "" : ` "${name}"`}: ${facts.join(", ")}`,
    `  to manage it:  ${importCommand}`,
    `             or  ${adopt} in a ${kind.className} of a program`,
    `  to destroy it: ${destroyCommand}`,
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/** What can be done about an orphan. Its id comes from the server: only a harmless one becomes part of a shell's line. */
function ways({
  kind,
  id,
}: Pick<Orphan, "kind" | "id" | "name" | "args">): Record<"importCommand" | "adopt" | "destroyCommand", string> {
  const shown = /^[\w.-]+$/.test(id) ? id : "ID";
  const calls = kind === CLUSTER ? "clusters" : "storage";
  return {
    importCommand: `npx pulumi-tensorpool import ${kind.word} ${shown}`,
    adopt: `adopt: ${JSON.stringify(id)}`,
    destroyCommand: `node -e 'import("pulumi-tensorpool/client").then((tp) => tp.createClient().${calls}.destroy("${shown}"))'`,
  };
}

function sumOf(found: readonly Orphan[]): string {
  const prices = found.flatMap(({ hourlyUsd }) => hourlyUsd ?? []);
  if (prices.length === 0) return "price unknown";
  const sum = price(prices.reduce((all, one) => all + one, 0));
  return prices.length < found.length ? `at least ${sum}` : sum;
}

function price(hourlyUsd: number): string {
  // A small volume costs less than a cent an hour.
  return `${hourlyUsd.toFixed(hourlyUsd < 1 ? 4 : 2)} USD an hour`;
}
