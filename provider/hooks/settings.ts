import { createHash } from "node:crypto";

export const PUBLIC_ENGINE = "https://engine.tensorpool.dev";

export interface Settings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  /** First 8 hex digits of the key's SHA-256, which is all of it that any file may hold. */
  readonly keyId: string;
}

/** Stack configuration, or that of an explicit Provider, as the engine hands it to `configure`. */
export interface Config {
  get(key: string): string | undefined;
}

/**
 * The API's address and key: of an explicit Provider first, then of the environment, then of the stack's config. The
 * environment goes before config because destroy and refresh know only the config that lies in the state.
 * @throws Error that names both ways to set the key, or says what is wrong with the address
 */
export function settingsOf(env: Readonly<Record<string, string | undefined>>, config: Config | undefined): Settings {
  const isExplicit = config?.get("tensorpool:explicit") === "true";
  const keyEnv = config?.get("tensorpool:apiKeyEnv");
  const fromConfig = config?.get("tensorpool:apiKey") || (keyEnv && env[keyEnv]);
  const key = (isExplicit ? fromConfig || undefined : undefined) || env["TENSORPOOL_KEY"] || fromConfig;
  const engine = config?.get("tensorpool:engine");
  const address = (isExplicit ? engine : undefined) || env["TENSORPOOL_ENGINE"] || engine || PUBLIC_ENGINE;
  if (isExplicit && keyEnv && !fromConfig) {
    throw new Error(
      `Cannot call the TensorPool API: this Provider takes its key from the variable ${keyEnv}, which is not set`,
    );
  }
  if (!key) {
    throw new Error(
      "Cannot call the TensorPool API: no API key is set. Set the environment variable TENSORPOOL_KEY, or run pulumi config set --secret tensorpool:apiKey",
    );
  }
  if (/[^\x21-\x7e]/.test(key)) {
    throw new Error(
      "Cannot call the TensorPool API: the API key contains blanks, line ends or other characters that no key has. Set it anew",
    );
  }
  const keyId = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return { baseUrl: checkedAddress(address), key, keyId };
}

function checkedAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isUsable =
    url !== undefined && ["http:", "https:"].includes(url.protocol) && url.search === "" && url.hash === "";
  if (!isUsable || url.username !== "" || url.password !== "") {
    throw new Error(
      `Cannot call the TensorPool API at "${withoutPassword(address)}": TENSORPOOL_ENGINE (or config tensorpool:engine) must be an http or https address without user, query or fragment, such as ${PUBLIC_ENGINE}`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function withoutPassword(address: string): string {
  return address.replace(/^(\w+:\/\/)?.*@/s, "$1(user)@");
}
