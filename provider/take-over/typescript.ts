import type { Fields } from "../json.ts";
import type { Imported } from "./import-file.ts";
import type { TakeOverKind } from "./kinds.ts";

/** An id alone tells the engine no order, and an attached volume cannot be destroyed. */
const HINTS: Readonly<Partial<Record<TakeOverKind["word"], string>>> = {
  attachment:
    "    // Where the program has the Cluster and the StorageVolume, name their .id here: then it is detached before they go.\n",
};

/**
 * The program text of imported resources, for which the next `pulumi up` has nothing to do. `protect` is what
 * `pulumi import` puts into the state.
 */
export function typescriptOf(kind: TakeOverKind, objects: readonly Imported[]): string {
  const taken = new Set<string>();
  const statements = objects.map(({ name, args }) => {
    const variable = variableOf(name, kind.word, taken);
    return `const ${variable} = new ${kind.className}(\n  ${JSON.stringify(name)},\n${argsOf(kind, args)}  { protect: true },\n);\n`;
  });
  return [`import { ${kind.className} } from "pulumi-tensorpool";\n`, ...statements].join("\n");
}

function argsOf({ word, resource }: TakeOverKind, args: Fields): string {
  const lines = Object.entries(resource.fields).flatMap(([key, field]) => {
    if (args[key] !== undefined)
      return args[key] === field.default ? [] : [`    ${key}: ${JSON.stringify(args[key])},\n`];
    return field.isRequired ? [`    // ${key}: the API does not tell it; write what it is\n`] : [];
  });
  return `  {\n${HINTS[word] ?? ""}${lines.join("")}  },\n`;
}

/** A variable's name such as `trainCluster`: with the kind's word at its end it is never a reserved one. */
function variableOf(name: string, word: string, taken: Set<string>): string {
  const parts = name.match(/[\p{L}\p{Nd}]+/gu) ?? [];
  const words = /^\p{Nd}/u.test(parts[0] ?? "") ? [word, ...parts] : [...parts, word];
  const [first = "", ...rest] = words.map((part) => part.toLowerCase());
  const camel = first + rest.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
  let variable = camel;
  for (let number = 2; taken.has(variable); number += 1) variable = `${camel}${number}`;
  taken.add(variable);
  return variable;
}
