import { randomBytes } from "node:crypto";
import type { dynamic } from "@pulumi/pulumi";
import { StoppedError } from "../errors.ts";
import { leftBehind } from "../operations/left-behind.ts";
import { apiOf, type Host, stopSignal } from "./host.ts";
import { scrubber } from "./scrub.ts";
import { settingsOf } from "./settings.ts";

/** The end of a stack must not hang on an API that does not answer. */
const LOOK_LIMIT_MS = 10_000;

/**
 * A random number that lies in the stack's state before anything is bought. The names that are made with it prove that
 * an object belongs to this very state. Needs neither key nor network, but for its end: with the seed goes the proof of
 * what a killed run has bought, so it stays as long as there is any of that.
 */
export function seedHooks(host: Host): Required<Omit<dynamic.ResourceProvider, "check" | "read">> {
  async function warn(message: string): Promise<void> {
    await host.engine?.log({ severity: "warning", message }).catch(() => undefined);
  }

  async function look(seed: string): Promise<string[]> {
    const { signal, end } = stopSignal(host, LOOK_LIMIT_MS);
    try {
      const settings = settingsOf(host.env, host.config);
      const left = await leftBehind(apiOf(host, settings), seed, signal).catch((error: unknown) => {
        throw new Error(scrubber(settings.key)(error instanceof Error ? error.message : String(error)));
      });
      if (left === undefined) throw new Error("this API has no lists of clusters and volumes");
      return left;
    } catch (error) {
      // Whoever presses Ctrl-C runs the command again, and then there is time to look.
      if (signal.reason instanceof StoppedError && signal.reason.why === "cancelled") {
        throw withoutStack("Cannot forget this stack's seed: it was cancelled. Run pulumi destroy again");
      }
      const why = error instanceof Error ? error.message : String(error);
      await warn(`Cannot tell whether anything that a killed run of this stack has bought still exists: ${why}`);
      return [];
    } finally {
      end();
    }
  }

  return {
    async configure({ config }) {
      host.config = config;
    },
    diff: async (_id, olds, news) => ({ changes: (olds.mayLeave ?? false) !== (news.mayLeave ?? false) }),
    async create({ mayLeave }) {
      const value = randomBytes(6).toString("hex");
      return { id: value, outs: outsOf(value, mayLeave) };
    },
    update: async (_id, { value }, { mayLeave }) => ({ outs: outsOf(value, mayLeave) }),
    async delete(_id, { value, mayLeave }) {
      const left = await host.trace.operation({ id: "seed", name: "tensorpool-seed" }, "delete", () =>
        look(String(value)),
      );
      if (left.length === 0) return;
      const exist = `${left.join(", ")} still ${left.length > 1 ? "exist and are" : "exists and is"} billed`;
      const byHand = "the tp command or in the dashboard";
      if (mayLeave === true) {
        return warn(
          `${exist}, and this stack forgets it: something in it was declared with retainOnDelete. What is not meant to stay, destroy with ${byHand}`,
        );
      }
      throw withoutStack(
        `Cannot forget this stack's seed: ${exist}, and this state does not hold it. If a killed run has bought it, run pulumi up, which takes it over, then pulumi destroy; or destroy it with ${byHand}. If it is to stay (moved to another stack, retained), run pulumi state delete with the URN of tensorpool-seed`,
      );
    },
  };
}

function outsOf(value: unknown, mayLeave: unknown): Record<string, unknown> {
  return { value, ...(mayLeave === true && { mayLeave }) };
}

/** The host prints the stack of what delete throws beside the message. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = "";
  return error;
}
