/**
 * Keys that travel with the arguments and outputs of every resource without being any of the user's business. The
 * resource classes pass them, diff ignores all but `timeouts`, and `hideDiffs` keeps them off the screen.
 */
export const HIDDEN = ["__provider", "__urn", "__seed", "__side", "timeouts"] as const;

/** Requests that the server has accepted and not yet finished. */
export const PENDING = "__pending";
/** First digits of the hash of the key that the object was last seen with. */
export const KEY_ID = "__keyId";
/** The server's id, where Pulumi's is a placeholder because the object's was not known when it was needed. */
export const OBJECT_ID = "__objectId";
/** The arguments that the program left open and check did not fill in. */
export const OPEN = "__open";
/** The server's ids of both ends of an attachment, where the program knows them by placeholders only. */
export const RESOLVED = "__resolved";

/** What `hideDiffs` keeps off the screen. */
export const HIDDEN_OUTPUTS: readonly string[] = [...HIDDEN, PENDING, KEY_ID, OBJECT_ID, OPEN, RESOLVED];
