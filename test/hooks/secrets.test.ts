import { expect, test } from "vitest";
import type { Fault } from "../emulator/index.ts";
import { throughStruct } from "../engine/struct.ts";
import { BOUGHT, CLUSTER, SSH_KEY, VOLUME } from "./args.ts";
import { outcomeOf } from "./outcome.ts";
import { answer, callOf, changed } from "./wire.ts";
import { startWorld } from "./world.ts";

const SECRET = "tp-secret-key-0123456789";

/** A server that repeats the key in whatever it says. */
const ECHOING: Fault[] = [
  { kind: "status", status: 500, body: { message: `Bearer ${SECRET} failed` }, on: "GET /cluster/list" },
  { kind: "status", status: 503, body: `<html>${SECRET}</html>`, on: "GET /storage/list" },
  { kind: "acted-status", status: 500, body: { error: SECRET }, on: "POST /cluster/create" },
  { kind: "status", status: 422, body: { detail: [{ msg: SECRET }] }, on: "POST /storage/create" },
  { kind: "failed", message: `Key ${SECRET} was revoked`, keepObject: true, on: "DELETE /cluster/{id}" },
  { kind: "unknown-status", word: SECRET, on: "POST /storage/attach" },
  { kind: "status", status: 403, body: { external_message: SECRET }, on: "PATCH /cluster/edit/{id}" },
  { kind: "status", status: 409, body: SECRET, on: "POST /user/ssh-key/add" },
];

test("the API key is in no output, line, error or stack, whatever the server says", async () => {
  await using world = await startWorld({ keys: [SECRET], faults: ECHOING });
  const up = world.start({ env: { TENSORPOOL_KEY: SECRET, CI: "true" } });
  const written: unknown[] = [];
  const note = async <T>(step: Promise<T>): Promise<T | undefined> => {
    const value = await world.run(
      step.catch((error: unknown) => {
        written.push(
          error instanceof Error
            ? [error.name, error.message, error.stack, String(error.cause), Object.entries(error)]
            : error,
        );
        return undefined;
      }),
    );
    written.push(value);
    return value;
  };
  await note(up.make("sshKey", "me", SSH_KEY));
  const cluster = await note(up.make("cluster", "train", CLUSTER));
  await note(up.make("storageVolume", "data", VOLUME));
  const volume = await note(up.make("storageVolume", "data", VOLUME));
  if (cluster === undefined || volume === undefined) return expect.unreachable();
  await note(up.make("storageAttachment", "link", { clusterId: cluster.id, storageId: volume.id }));
  await note(up.again(cluster, { ...CLUSTER, name: "new" }));
  await note(up.refresh(cluster));
  await note(up.destroy(cluster));
  expect(world.api.faultsFired()).toMatchObject({ status: 5, "acted-status": 1, "unknown-status": 1 });
  expect(JSON.stringify([written, world.lines])).not.toContain(SECRET);
});

test("signed URLs in the server's words are told to nobody", async () => {
  const url = "https://files.example/model.bin?X-Amz-Credential=AK&X-Amz-Signature=5ec4e7";
  await using world = await startWorld({
    faults: [
      { kind: "unknown-status", word: `SEE ${url}`, on: "POST /storage/create" },
      { kind: "failed", message: `The log is at ${url}, try again`, on: "POST /storage/create" },
    ],
  });
  const up = world.start({ env: { CI: "true" } });
  const first = await world.run(outcomeOf(up.make("storageVolume", "data", VOLUME)));
  expect(first).toMatchObject({ ends: "error", words: expect.stringContaining("(signed URL)") });
  expect(JSON.stringify([first, world.lines]).toLowerCase()).not.toContain("5ec4e7");
});

test("the key goes to the API's own address only, as a header, and never behind a redirect", async () => {
  const heard: string[] = [];
  await using world = await startWorld({}, async (request, send) => {
    heard.push(`${new URL(request.url).origin} ${request.headers["authorization"]}`);
    expect(request.url + String(request.body)).not.toContain("test-key");
    if (callOf(request) === "POST /cluster/create")
      return { ...answer(307, {}), header: () => "http://127.0.0.1:9/steal" };
    return send(request);
  });
  const first = await world.run(outcomeOf(world.start().make("cluster", "train", CLUSTER)));
  expect(first).toMatchObject({ ends: "error", words: expect.stringContaining("Redirects are not followed") });
  expect(new Set(heard)).toEqual(new Set([`${world.api.url} Bearer test-key`]));
});

test.for(BOUGHT)("the outputs of a $kind are clean JSON, whatever the record holds", async ({ kind, args }) => {
  await using world = await startWorld({}, async (request, send) =>
    changed(await send(request), (body) => ({
      ...body,
      ...(typeof body["cluster_info"] === "object" && {
        cluster_info: {
          ...body["cluster_info"],
          instances: [null, 7, { id: 3, status: null }],
          created_at: null,
          extra: { a: null },
        },
      }),
    })),
  );
  const up = world.start();
  const made = await world.run(up.make(kind, "train", args));
  for (const outputs of [made.outputs, (await world.run(up.refresh(made)))?.outputs ?? {}]) {
    expect(throughStruct(outputs)).toEqual(JSON.parse(JSON.stringify(outputs)));
    expect(outputs["__provider"]).toMatch(/^exports\.handler=/);
  }
});
