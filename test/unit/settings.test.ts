import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { PUBLIC_ENGINE } from "../../provider/api/settings.ts";
import { settingsOf } from "../../provider/hooks/settings.ts";

type Values = Readonly<Record<string, string>>;
const config = (values: Values): { get(key: string): string | undefined } => ({
  get: (key) => values[key.replace("tensorpool:", "")],
});
const ENV: Values = { TENSORPOOL_KEY: "env-key", TENSORPOOL_ENGINE: "http://env:1" };

describe("settingsOf()", () => {
  test.for([
    ["the environment has both", ENV, {}, "env-key", "http://env:1"],
    ["stack config has both too", ENV, { apiKey: "config-key", engine: "http://config:2" }, "env-key", "http://env:1"],
    [
      "only stack config has them",
      {},
      { apiKey: "config-key", engine: "http://config:2" },
      "config-key",
      "http://config:2",
    ],
    [
      "an explicit Provider has both",
      ENV,
      { explicit: "true", apiKey: "own-key", engine: "http://own:3" },
      "own-key",
      "http://own:3",
    ],
    ["an explicit Provider has a key alone", ENV, { explicit: "true", apiKey: "own-key" }, "own-key", "http://env:1"],
    [
      "an explicit Provider names a variable",
      { ...ENV, OTHER: "other-key" },
      { explicit: "true", apiKeyEnv: "OTHER" },
      "other-key",
      "http://env:1",
    ],
    ["nobody names an address", { TENSORPOOL_KEY: "k" }, {}, "k", PUBLIC_ENGINE],
    ["a variable is empty", { TENSORPOOL_KEY: "", TENSORPOOL_ENGINE: "" }, { apiKey: "k" }, "k", PUBLIC_ENGINE],
  ] as const)("finds key and address when %s", ([, env, values, key, baseUrl]) => {
    expect(settingsOf(env, config(values))).toMatchObject({ key, baseUrl });
  });

  test("keeps 8 digits of the key's hash when others may see it", () => {
    const { keyId } = settingsOf({ TENSORPOOL_KEY: "abc" }, undefined);
    expect(keyId).toBe(createHash("sha256").update("abc").digest("hex").slice(0, 8));
  });

  test("advises on what gives the key", () => {
    expect(settingsOf(ENV, undefined).advice.key).toContain("TENSORPOOL_KEY");
    const { key, address } = settingsOf(ENV, config({ explicit: "true", apiKey: "own-key" })).advice;
    expect(key).toBe("apiKey, or what apiKeyEnv names, of the Provider");
    expect(address).toContain("engine of the Provider");
  });

  test("names both ways to set the key when there is none", () => {
    const read = (): unknown => settingsOf({}, config({}));
    expect(read).toThrow("TENSORPOOL_KEY");
    expect(read).toThrow("pulumi config set --secret tensorpool:apiKey");
  });

  test.for([
    [{ apiKeyEnv: "OTHER" }, "from the variable OTHER, which is not set"],
    [{ apiKey: "" }, "has an empty apiKey"],
    [{}, "has an empty apiKey"],
  ] as const)("takes no other account's key when an explicit Provider has %j", ([values, words]) => {
    expect(() => settingsOf(ENV, config({ explicit: "true", ...values }))).toThrow(words);
  });

  test.for(["k\n", "k k", " k", "k\r", "ключ", "k\u0000"])(
    "refuses the key, without showing it, when it is %j",
    (key) => {
      const read = (): unknown => settingsOf({ TENSORPOOL_KEY: `secret${key}` }, undefined);
      expect(read).toThrow("characters that no key has");
      expect(read).not.toThrow("secret");
    },
  );

  test.for([
    ["http://127.0.0.1:4010", "http://127.0.0.1:4010"],
    ["https://engine.example/", "https://engine.example"],
    ["https://engine.example/v1//", "https://engine.example/v1"],
    ["HTTPS://Engine.Example:443", "https://engine.example"],
  ] as const)("cuts the slash at its end when the address is %s", ([address, baseUrl]) => {
    expect(settingsOf({ TENSORPOOL_KEY: "k", TENSORPOOL_ENGINE: address }, undefined).baseUrl).toBe(baseUrl);
  });

  test.for([
    "localhost:4010",
    "engine.example",
    "ftp://engine.example",
    "file:///etc",
    "http://",
    "http://engine.example?key=1",
    "http://engine.example#part",
    "http://user:hidden@engine.example",
    "not an address",
  ])("says what is wrong when the address is %s", (address) => {
    const read = (): unknown => settingsOf({ TENSORPOOL_KEY: "k", TENSORPOOL_ENGINE: address }, undefined);
    expect(read).toThrow(/TENSORPOOL_ENGINE .* must be an http or https address/);
  });

  test.for([
    "http://user:hidden@engine.example",
    "http://user:hid/hidden@engine.example",
    "http://user:hid@hidden@engine.example",
    "user:hidden@engine.example",
  ])("shows no password when the address is %s", (address) => {
    expect(() => settingsOf({ TENSORPOOL_KEY: "k", TENSORPOOL_ENGINE: address }, undefined)).not.toThrow("hidden");
  });
});
