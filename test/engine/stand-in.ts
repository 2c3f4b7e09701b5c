import type { dynamic } from "@pulumi/pulumi";
import { UNKNOWN } from "../../provider/operations/fields.ts";
import { type DiffAnswer, InitFailed, type Plugin, type Props } from "./plugin.ts";
import { throughStruct } from "./struct.ts";

export interface StandInOptions {
  /** The hooks of one process. */
  readonly hooks: Readonly<Record<string, dynamic.ResourceProvider>>;
  /** Stack configuration. @default none */
  readonly config?: Readonly<Record<string, string>>;
  readonly onCancel?: () => void;
}

const PROVIDER = "__provider";
/** The text of any provider that is the export of a module, as all texts of this package are. */
const HANDLER = /^exports\.handler=\(\)=>require\("[^"]+"\)\.(\w+)$/;

/**
 * Stands in for `@pulumi/pulumi/cmd/dynamic-provider` in the same process: what the engine and the hooks give each other
 * goes through the same conversions, with the same traps. `test/host` compares the two, message by message.
 */
export function standIn({ hooks, config = {}, onCancel }: StandInOptions): Plugin {
  const configured = new Map<unknown, dynamic.ResourceProvider>();

  async function providerOf(props: Props): Promise<dynamic.ResourceProvider> {
    const text = props[PROVIDER];
    const known = configured.get(text);
    if (known !== undefined) return known;
    if (typeof text !== "string") throw new Error(`code must be a string, not ${typeof text}`);
    const provider = hooks[HANDLER.exec(text)?.[1] ?? ""];
    if (provider === undefined) throw new TypeError("Cannot read properties of undefined (reading 'configure')");
    configured.set(text, provider);
    // Others that come meanwhile get a provider that is not configured yet: a bug of the host, kept.
    const get = (key: string): string | undefined => config[key];
    await provider.configure?.({ config: { get, require: (key) => get(key) ?? "" } });
    return provider;
  }

  const ofNews = (olds: Props, news: Props) => providerOf(news[PROVIDER] === UNKNOWN ? olds : news);

  return {
    async check(_urn, oldProps, newProps) {
      const [olds, news] = [throughStruct(oldProps), throughStruct(newProps)];
      const provider = await ofNews(olds, news);
      const { inputs = news, failures = [] } = (await provider.check?.(olds, news)) ?? {};
      return { inputs: throughStruct({ ...inputs, [PROVIDER]: newProps[PROVIDER] }), failures };
    },
    async diff(_urn, id, oldProps, newProps) {
      const [olds, news] = [throughStruct(oldProps), throughStruct(newProps)];
      const provider = await ofNews(olds, news);
      if (provider.diff === undefined) return { changes: "unknown", replaces: [], deleteBeforeReplace: false };
      const { changes, replaces, deleteBeforeReplace } = await provider.diff(id, olds, news);
      const word: DiffAnswer["changes"] = changes === true ? "some" : changes === false ? "none" : "unknown";
      return { changes: word, replaces: replaces ?? [], deleteBeforeReplace: deleteBeforeReplace === true };
    },
    create: (_urn, inputs) =>
      orInitError(async () => {
        const props = throughStruct(inputs);
        const { id, outs } = await (await providerOf(props)).create(props);
        return { id: idOnTheWire(id), outputs: withProvider(outs, inputs) };
      }),
    update: (_urn, id, oldProps, newProps) =>
      orInitError(async () => {
        const [olds, news] = [throughStruct(oldProps), throughStruct(newProps)];
        const provider = await providerOf(news);
        const result = (await provider.update?.(id, olds, news)) ?? {};
        return withProvider(result.outs, newProps);
      }),
    async read(_urn, id, oldProps) {
      const props = throughStruct(oldProps);
      const provider = await providerOf(props);
      if (provider.read === undefined) return { id, outputs: props, inputs: undefined };
      const result = await provider.read(id, props);
      const inputs = result.inputs && withProvider(result.inputs, oldProps);
      return { id: idOnTheWire(result.id), outputs: withProvider(result.props, oldProps), inputs };
    },
    async delete(_urn, id, oldProps) {
      const props = throughStruct(oldProps);
      const provider = await providerOf(props);
      await provider.delete?.(id, props);
    },
    async cancel() {
      onCancel?.();
    },
  };
}

/** A field of type string holds no number: what is none arrives as "". */
function idOnTheWire(id: unknown): string {
  return typeof id === "string" ? id : "";
}

function withProvider(props: object | undefined, source: Props): Props {
  return throughStruct({ ...props, [PROVIDER]: source[PROVIDER] });
}

/**
 * What create and update throw. An error with an id is an init error; and where the host fails while it packs the error
 * itself, nobody answers the engine, ever.
 */
async function orInitError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown === undefined || thrown === null) return never();
    const error: object = Object(thrown);
    const message = String(Reflect.get(error, "message"));
    const id: unknown = Reflect.get(error, "id");
    if (!id) throw new Error(message, { cause: thrown });
    let properties: Props;
    try {
      properties = throughStruct(Object(Reflect.get(error, "properties") ?? {}));
    } catch {
      return never();
    }
    const reasons: unknown = Reflect.get(error, "reasons");
    throw new InitFailed(message, idOnTheWire(id), properties, Array.isArray(reasons) ? reasons.map(String) : []);
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
