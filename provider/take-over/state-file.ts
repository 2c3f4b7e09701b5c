import { SEED_NAME, typeToken } from "../frozen.ts";
import { type Fields, isFields, objects, parseFields, text } from "../json.ts";
import { ownNameOf } from "../operations/check.ts";
import { objectIdOf, requestIn } from "../operations/state.ts";
import { KINDS, type TakeOverKind } from "./kinds.ts";

/** What this package has put into the state of one stack. */
export interface StackState {
  /** The beginning of all its URNs, such as `urn:pulumi:dev::shop`; `undefined` while the stack is empty. */
  readonly urnStart: string | undefined;
  /** The stack's own random number; `undefined` while it has none. */
  readonly seed: string | undefined;
  readonly objects: readonly StateObject[];
}

export interface StateObject {
  readonly kind: TakeOverKind;
  readonly urn: string;
  /** The server's id; `undefined` where a create was interrupted before it was known. */
  readonly id: string | undefined;
  /** The request that its placeholder id is made of. */
  readonly requestIds: readonly string[];
  /** Names that an object of an interrupted create may have. */
  readonly names: readonly string[];
  /** Whether its name is a secret that this file holds encrypted. */
  readonly hasSecretName: boolean;
  /** Looked up by `.get`: this stack only reads it. */
  readonly isOnlyRead: boolean;
}

/**
 * Reads what `pulumi stack export` has written.
 * @param source where the text is from, for messages
 * @throws Error when it is no such file
 */
export function parseState(content: string, source: string): StackState {
  const deployment = parseFields(content)?.["deployment"];
  if (!isFields(deployment)) {
    throw new Error(
      `Cannot read the state in ${source}: expected what "pulumi stack export" writes, with a "deployment"`,
    );
  }
  const resources = objects(deployment, "resources") ?? [];
  const interrupted = (objects(deployment, "pending_operations") ?? []).flatMap((operation) => {
    const { type, resource } = operation;
    return type === "creating" && isFields(resource) ? [resource] : [];
  });
  const seed = resources.find(({ type, urn }) => type === typeToken("Seed") && String(urn).endsWith(`::${SEED_NAME}`));
  return {
    urnStart: /^urn:pulumi:[^:]+::[^:]+/.exec(text(resources[0] ?? {}, "urn") ?? "")?.[0],
    seed: seed && text(seed, "id"),
    objects: [
      ...resources.flatMap((resource) => objectOf(resource, text(resource, "id"))),
      // The engine notes a create before it begins, when nobody knows an id.
      ...interrupted.flatMap((resource) => objectOf(resource, undefined)),
    ],
  };
}

function objectOf(resource: Fields, pulumiId: string | undefined): StateObject[] {
  const kind = KINDS.find(({ type }) => type === resource["type"]);
  if (kind === undefined) return [];
  const [inputs, outputs] = [fieldsIn(resource, "inputs"), fieldsIn(resource, "outputs")];
  const id = pulumiId === undefined ? undefined : objectIdOf(pulumiId, outputs);
  const given = [outputs["name"], inputs["name"]];
  const named = given.map(plainText).filter((name) => name !== undefined);
  return [
    {
      kind,
      urn: text(resource, "urn") ?? "",
      id,
      requestIds: pulumiId === undefined ? [] : requestIn(pulumiId),
      names: [...named, ownNameOf(kind.resource.fields, inputs) ?? []].flat(),
      hasSecretName: named.length === 0 && given.some(isFields),
      isOnlyRead: resource["external"] === true,
    },
  ];
}

function fieldsIn(resource: Fields, key: string): Fields {
  const found = resource[key];
  return isFields(found) ? found : {};
}

/** What Pulumi puts around a secret; with `--show-secrets` it has the value as JSON, else only encrypted. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return value || undefined;
  if (!isFields(value) || !(SIGNATURE in value)) return undefined;
  const shown = parseFields(`{"value":${text(value, "plaintext") ?? "null"}}`);
  return shown && text(shown, "value");
}
