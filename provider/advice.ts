/** The client's calls for which users of Pulumi have a command. */
export type Call = "create" | "edit" | "destroy" | "attach" | "detach";

/**
 * What to do next, in the words of those who read the errors. Api and operations tell the case; the advice behind it is
 * that of whoever has made the Api: the hooks, the client, or the command.
 */
export interface Advice {
  /** Where the API's address is set. */
  readonly address: string;
  /** Where the API key is set. */
  readonly key: string;
  /** Where a longer time limit is set. */
  readonly limit: string;
  /** After a call that can buy, whose answer was lost. */
  readonly answerLost: string;
  /** Before what is protected can be destroyed. */
  readonly unprotect: string;
  /** When the API has not told an id yet. */
  readonly noId: string;
  /** How the state gets rid of what is gone: begins with "; ", and is empty where there is no state. */
  readonly refresh: string;
  /** The same, where a refresh cannot tell. */
  readonly forget: string;
  /** @param end such as `to try again` */
  again(call: Call, end: string): string;
  /** Of an accepted create. */
  goOn(id: string): string;
  /** Of an accepted attach. */
  goOnAttaching(requestIds: readonly string[]): string;
  /** @param it such as `the cluster` */
  replace(it: string): string;
  /** When something has the name already that may be the resource's own. */
  taken(id: string): string;
  /** When the account has the SSH key already. */
  registered(id: string): string;
}
