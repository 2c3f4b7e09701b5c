import { expect, test } from "vitest";
import { hooksOf } from "../../provider/hooks/all.ts";
import { createHost } from "../../provider/hooks/host.ts";
import { createProgram } from "../../tools/program.ts";
import { type Emulator, startEmulator } from "../emulator/index.ts";
import { InitFailed, type Plugin, type Props } from "../engine/plugin.ts";
import { urnOf } from "../engine/program.ts";
import { standIn } from "../engine/stand-in.ts";
import { startHost } from "./host-driver.ts";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@laptop";

/** A resource's whole life, by one plugin: every answer that the engine gets, in order. */
async function lifeOf(plugin: Plugin, emulator: Emulator): Promise<unknown[]> {
  const answers: unknown[] = [];
  const seen = async <T>(call: Promise<T>): Promise<T | undefined> => {
    try {
      const answer = await call;
      answers.push(answer);
      return answer;
    } catch (error) {
      answers.push(error instanceof InitFailed ? partsOf(error) : messageOf(error));
      return undefined;
    }
  };
  const hidden = (kind: "cluster" | "sshKey", name: string): Props => ({
    __urn: urnOf({ kind, name }),
    __seed: "5eed5eed5eed",
    __provider: `exports.handler=()=>require("pulumi-tensorpool/provider").${kind}`,
  });

  const keyUrn = urnOf({ kind: "sshKey", name: "me" });
  const key = await seen(plugin.check(keyUrn, {}, { ...hidden("sshKey", "me"), publicKey: KEY }));
  const made = await seen(plugin.create(keyUrn, key?.inputs ?? {}));
  await seen(plugin.create(keyUrn, { ...key?.inputs, name: "other" }));

  const urn = urnOf({ kind: "cluster", name: "train" });
  const given = {
    ...hidden("cluster", "train"),
    instanceType: "1xH100",
    sshKeyId: made?.id,
    timeouts: { create: 0.2 },
  };
  await seen(plugin.check(urn, {}, { ...given, instanceType: "H100", numNodes: 0, color: "red" }));
  const inputs = (await seen(plugin.check(urn, {}, given)))?.inputs ?? {};
  const partial = await plugin.create(urn, inputs).catch((error: unknown) => error);
  if (!(partial instanceof InitFailed)) throw new Error("Cannot go on: the create was not interrupted by its limit");
  answers.push(partsOf(partial));
  const { id, properties } = partial;
  await seen(plugin.diff(urn, id, properties, inputs));
  const outputs = (await seen(plugin.update(urn, id, properties, { ...inputs, timeouts: { update: 60 } }))) ?? {};
  await seen(plugin.diff(urn, id, outputs, inputs));
  await seen(plugin.diff(urn, id, outputs, { ...inputs, instanceType: "2xH100" }));
  await seen(plugin.read(urn, id, outputs));
  await seen(plugin.read(urn, "c-none", { __provider: inputs["__provider"] }));
  emulator.addFault({ kind: "status", status: 403, on: "GET /cluster/info/{cluster}" });
  await seen(plugin.read(urn, id, outputs));
  emulator.edit(id, { deletion_protection: true });
  await seen(plugin.delete(urn, id, outputs));
  emulator.edit(id, { deletion_protection: false });
  await seen(plugin.delete(urn, id, outputs));
  await seen(plugin.read(urn, id, outputs));
  await seen(plugin.delete(urn, id, outputs));
  return answers;
}

/** Times differ between two lives. */
function withoutTimes(answers: unknown[]): unknown {
  const text = JSON.stringify(answers, (key, value: unknown) =>
    ["sinceMs", "askAfterMs", "createdAt"].includes(key) ? typeof value : value,
  );
  return JSON.parse(text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(time)"));
}

test("hooks give the engine the same through standIn() as through the Node host, init errors and failures included", async () => {
  await using program = await createProgram({ "index.ts": "" });
  await using one = await startEmulator({ operationSeconds: 1 });
  await using other = await startEmulator({ operationSeconds: 1 });
  const env = (emulator: Emulator) => ({ TENSORPOOL_KEY: "test-key", TENSORPOOL_ENGINE: emulator.url });
  await using host = await startHost({ folder: program.folder, env: env(one) });
  const hooks = hooksOf(createHost({ env: env(other) }));
  const [real, modelled] = await Promise.all([
    lifeOf(host.plugin, one),
    lifeOf(standIn({ hooks: { ...hooks } }), other),
  ]);
  expect(withoutTimes(modelled)).toStrictEqual(withoutTimes(real));
  expect(real.length).toBe(17);
});

function messageOf(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}

function partsOf({ id, properties, reasons }: InitFailed): object {
  return { id, properties, reasons };
}
