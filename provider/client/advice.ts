import type { Advice } from "../advice.ts";

/** For callers of the client. */
export const clientAdvice: Advice = {
  address: "baseUrl (or env TENSORPOOL_ENGINE)",
  key: "apiKey, or env TENSORPOOL_KEY",
  limit: "timeoutMs",
  answerLost: "Look in the list before you call it again",
  unprotect: "First set deletionProtection: false with edit, then destroy it",
  noId: "First wait until it is ready",
  refresh: "",
  forget: "",
  again: (call, end) => `Call ${call} ${end}`,
  goOn: (id) => `Go on waiting with wait("${id}"), or call destroy("${id}")`,
  goOnAttaching: ([requestId]) =>
    requestId === undefined ? "Call attach again" : `Go on waiting with requests.wait("${requestId}")`,
  replace: () => "Destroy it, then create it anew",
  taken: () => "Give another name",
  registered: (id) => `To use that one, give sshKeyId: "${id}"`,
};
