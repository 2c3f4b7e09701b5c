import type { Advice } from "../advice.ts";
import { checkedSettings, PUBLIC_ENGINE, type Settings } from "../api/settings.ts";
import { providerAdvice, pulumiAdvice } from "./advice.ts";

/** Stack configuration, or that of an explicit Provider, as the engine hands it to `configure`. */
export interface Config {
  get(key: string): string | undefined;
}

/** Key and address, and advice that names where they come from. */
export interface AccountSettings extends Settings {
  readonly advice: Advice;
}

/**
 * The API's address and key: of an explicit Provider first, then of the environment, then of the stack's config. The
 * environment goes before config because destroy and refresh know only the config that lies in the state.
 * @throws Error that names both ways to set the key, or says what is wrong with the address
 */
export function settingsOf(
  env: Readonly<Record<string, string | undefined>>,
  config: Config | undefined,
): AccountSettings {
  const isExplicit = config?.get("tensorpool:explicit") === "true";
  const keyEnv = config?.get("tensorpool:apiKeyEnv");
  const fromConfig = config?.get("tensorpool:apiKey") || (keyEnv && env[keyEnv]);
  // Another account's key in its place would buy there, and find nothing that belongs to this one.
  const key = isExplicit ? fromConfig : env["TENSORPOOL_KEY"] || fromConfig;
  const engine = config?.get("tensorpool:engine");
  const address = (isExplicit ? engine : undefined) || env["TENSORPOOL_ENGINE"] || engine || PUBLIC_ENGINE;
  if (isExplicit && !key) {
    const source = keyEnv
      ? `takes its key from the variable ${keyEnv}, which is not set`
      : "has an empty apiKey: give it the key of its account";
    throw new Error(`Cannot call the TensorPool API: this Provider ${source}`);
  }
  if (!key) {
    throw new Error(
      "Cannot call the TensorPool API: no API key is set. Set the environment variable TENSORPOOL_KEY, or run pulumi config set --secret tensorpool:apiKey",
    );
  }
  const advice = isExplicit ? providerAdvice : pulumiAdvice;
  return { ...checkedSettings(key, address, advice.address), advice };
}
