import type { dynamic } from "@pulumi/pulumi";
import type { Context, Progress } from "../context.ts";
import { type Fields, isFields, number, text } from "../json.ts";
import { capacityTimeoutSeconds } from "../operations/capacity-words.ts";
import { keepAdopted } from "../operations/keep-adopted.ts";
import type { Resource } from "../operations/resource.ts";
import { clean } from "./clean.ts";
import { asUrn } from "./engine.ts";
import { apiOf, type Host, stopSignal } from "./host.ts";
import { idOf, presentable, quietly } from "./presentable.ts";
import { startProgress } from "./progress.ts";
import { scrubber } from "./scrub.ts";
import { settingsOf } from "./settings.ts";

const VERBS = { create: "creating", update: "updating", read: "reading", delete: "deleting" } as const;
type Verb = keyof typeof VERBS;

const LIMITS_S: Readonly<Record<Verb, number>> = { create: 3600, update: 1800, read: 1800, delete: 1800 };

/**
 * Makes the hooks that the Node host calls, and closes its traps in this one place: only clean JSON reaches it, ids are
 * texts, what is thrown is an Error, init errors carry `__provider`, and errors whose stack it would print have none.
 */
export function wrap(resource: Resource, host: Host): Required<dynamic.ResourceProvider> {
  /** The URNs of what the engine has checked and not compared yet. A refresh compares without a check before. */
  const checked = new Set<string>();
  /** By id: with what the program is to replace an object. The engine deletes it before it creates that. */
  const successors = new Map<string, Fields>();

  /** Runs one operation with a context of its own. */
  async function run<T>(verb: Verb, props: Fields, operation: (context: Context) => Promise<T>): Promise<T> {
    const urn = asUrn(text(props, "__urn"));
    const ownName = urn?.split("::").at(-1);
    const name = text(props, "name") ?? ownName ?? resource.noun;
    const settings = settingsOf(host.env, host.config);
    const limits = props["timeouts"];
    const longerS = verb === "create" ? capacityTimeoutSeconds(props) : 0;
    const limitS = (isFields(limits) ? number(limits, verb) : undefined) ?? LIMITS_S[verb] + longerS;
    const { signal, end } = stopSignal(host, limitS * 1000);
    const scrub = scrubber(settings.key);
    const row = { id: urn ?? name, name: `${resource.noun} ${ownName ?? name}` };
    const progress = startProgress(host, { urn, verb: VERBS[verb], resource: name });
    try {
      const context = {
        api: apiOf(host, settings),
        keyId: settings.keyId,
        clock: host.clock,
        signal,
        report: (now: Progress) => progress.report({ ...now, status: scrub(now.status) }),
        say: (severity: "info" | "warning", message: string) =>
          say(severity, scrub(urn === undefined ? `${name}: ${message}` : message), urn),
        mayBuy: () => askEngine(host),
        resource: name,
      };
      return await host.trace.operation(row, verb, () => operation(context));
    } catch (error) {
      throw presentable(error, scrub, (why) => `Cannot ${verb} ${resource.noun} "${name}": ${why}`, props);
    } finally {
      progress.end();
      end();
    }
  }

  function say(severity: "info" | "warning", message: string, urn: string | undefined): void {
    host.engine?.log({ severity, message, urn }).catch(() => undefined);
  }

  return {
    async configure({ config }) {
      // Nothing may be awaited and nothing may fail here: the host lets other calls overtake this one.
      host.config = config;
    },
    check: quietly(async (olds, news) => {
      const { inputs, failures, warnings } = resource.check(fieldsOf(olds), fieldsOf(news));
      const urn = text(inputs, "__urn");
      for (const warning of warnings) say("warning", warning, urn);
      if (urn !== undefined) checked.add(urn);
      return { inputs: clean(inputs), failures: [...failures] };
    }),
    diff: quietly(async (id, oldProps, newProps) => {
      const olds = fieldsOf(oldProps);
      const news = fieldsOf(newProps);
      const found = resource.diff(olds, news);
      const urn = text(news, "__urn");
      const isDeclared = checked.delete(urn ?? "");
      const warning = keepAdopted(resource.noun, id, olds, news, found, isDeclared);
      if (warning !== undefined) say("warning", warning, urn);
      if (isDeclared && found.replaces.length > 0) successors.set(id, news);
      return found;
    }),
    async create(props) {
      const inputs = fieldsOf(props);
      warnOfSkippedCheckpoints(host, say);
      const { id, outputs } = await run("create", inputs, (context) => resource.create(context, inputs));
      return { id: idOf(id), outs: clean(outputs) };
    },
    async update(id, olds, news) {
      const inputs = fieldsOf(news);
      return {
        outs: clean(await run("update", inputs, (context) => resource.update(context, id, fieldsOf(olds), inputs))),
      };
    },
    read: quietly(async (id, props) => {
      const olds = fieldsOf(props);
      const reading = await run("read", olds, (context) => resource.read(context, id, olds));
      if (reading === "gone") return {};
      return { id: reading.id, props: clean(reading.outputs), inputs: clean(reading.inputs) };
    }),
    delete: quietly(async (id, props) => {
      const olds = fieldsOf(props);
      await run("delete", olds, (context) => resource.destroy(context, id, olds, successors.get(id)));
    }),
  };
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Without an engine to keep what is bought, nothing may be bought. */
async function askEngine({ engine }: Host): Promise<void> {
  try {
    await engine?.log({ severity: "debug", message: "about to send a call that can buy", isEphemeral: true });
  } catch (error) {
    throw new Error("Cannot create anything: the Pulumi engine that asked for it no longer answers. Nothing was sent", {
      cause: error,
    });
  }
}

let hasWarned = false;

function warnOfSkippedCheckpoints(
  { env }: Host,
  say: (severity: "warning", message: string, urn: undefined) => void,
): void {
  if (hasWarned || !env["PULUMI_SKIP_CHECKPOINTS"]) return;
  hasWarned = true;
  say(
    "warning",
    "PULUMI_SKIP_CHECKPOINTS is set: an interrupted run leaves nothing in the state to go on with",
    undefined,
  );
}
