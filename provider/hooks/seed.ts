import { randomBytes } from "node:crypto";
import type { dynamic } from "@pulumi/pulumi";

/**
 * A random number that lies in the stack's state before anything is bought. The names that are made with it prove that
 * an object belongs to this very state. Needs neither key nor network.
 */
export const seedHooks: dynamic.ResourceProvider = {
  diff: async () => ({ changes: false }),
  async create() {
    const value = randomBytes(6).toString("hex");
    return { id: value, outs: { value } };
  },
  update: async (_id, { value }) => ({ outs: { value } }),
};
