import type { Advice, Call } from "../advice.ts";

const COMMANDS: Readonly<Record<Call, string>> = {
  create: "pulumi up",
  edit: "pulumi up",
  attach: "pulumi up",
  // An up too destroys and detaches: whoever replaces one cluster must not be sent to pulumi destroy.
  destroy: "the command",
  detach: "the command",
};

/** For users of Pulumi. */
export const pulumiAdvice: Advice = {
  address: "TENSORPOOL_ENGINE (or config tensorpool:engine)",
  key: "env TENSORPOOL_KEY, or pulumi config set --secret tensorpool:apiKey",
  limit: "customTimeouts",
  answerLost: "Run pulumi up again, which looks for the object before it buys",
  unprotect: "First set deletionProtection: false and run pulumi up, then destroy it",
  noId: "Run pulumi refresh, then pulumi up",
  refresh: "; pulumi refresh drops what is really gone",
  forget: "; what is really gone, take out of the state with pulumi state delete",
  again: (call, end) => `Run ${COMMANDS[call]} ${end}`,
  goOn: () => "Run pulumi up to go on waiting, without buying a second one, or pulumi destroy to remove it",
  goOnAttaching: () => "Run pulumi up to go on waiting",
  replace: (it) => `Run pulumi up to replace ${it}, or pulumi destroy to remove it`,
  taken: (id) =>
    `If it is this resource's own, from an interrupted run, add adopt: "${id}" to take it over; else give another name`,
  registered: (id) => `To use that one, add adopt: "${id}"; a pulumi destroy then removes it`,
};

/** For those whose resources have an explicit Provider: neither environment nor stack config gives them a key. */
export const providerAdvice: Advice = {
  ...pulumiAdvice,
  address: "the engine of the Provider (or TENSORPOOL_ENGINE)",
  key: "apiKey, or what apiKeyEnv names, of the Provider",
};
