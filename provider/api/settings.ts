import { createHash } from "node:crypto";

export const PUBLIC_ENGINE = "https://engine.tensorpool.dev";

export interface Settings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  /** First 8 hex digits of the key's SHA-256, which is all of it that any file may hold. */
  readonly keyId: string;
}

/**
 * Checks what all calls are made with.
 * @param source where the address can be set, for the message
 * @throws Error that says what is wrong with the key or the address
 */
export function checkedSettings(key: string, address: string, source: string): Settings {
  if (/[^\x21-\x7e]/.test(key)) {
    throw new Error(
      "Cannot call the TensorPool API: the API key contains blanks, line ends or other characters that no key has. Set it anew",
    );
  }
  const keyId = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return { baseUrl: checkedAddress(address, source), key, keyId };
}

function checkedAddress(address: string, source: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isUsable =
    url !== undefined && ["http:", "https:"].includes(url.protocol) && url.search === "" && url.hash === "";
  if (!isUsable || url.username !== "" || url.password !== "") {
    throw new Error(
      `Cannot call the TensorPool API at "${withoutPassword(address)}": ${source} must be an http or https address without user, query or fragment, such as ${PUBLIC_ENGINE}`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function withoutPassword(address: string): string {
  return address.replace(/^(\w+:\/\/)?.*@/s, "$1(user)@");
}
