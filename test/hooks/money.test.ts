import { describe, expect, test } from "vitest";
import { BOUGHT } from "./args.ts";
import { billed, converges, everBilled, outcomeOf } from "./outcome.ts";
import { callOf } from "./wire.ts";
import { startWorld, type World } from "./world.ts";

const posts = (world: World): number => world.entries().filter(({ method }) => method === "POST").length;

/** The seconds after the first purchase at which the list was asked for. */
function looks(world: World, at: string): number[] {
  const entries = world.entries();
  const sinceMs = entries.find(({ method }) => method === "POST")?.atMs ?? 0;
  const seconds = entries.filter(({ path }) => path === `${at}/list`).map(({ atMs }) => (atMs - sinceMs) / 1_000);
  return [...new Set(seconds)].filter((one) => one > 0);
}

describe.for(BOUGHT)("a lost create of a $kind", ({ kind, args, at }) => {
  const create = `POST ${at}/create`;

  test("that the server acted on is found in the list and sent once", async () => {
    await using world = await startWorld({ faults: [{ kind: "lost-answer", on: create }] });
    await world.run(world.start().make(kind, "train", args));
    expect(posts(world)).toBe(1);
    expect(looks(world, at)).toEqual([1]);
  });

  test("that is listed only later is looked for after 1, 5, 15, 30 and 60 s", async () => {
    const faults = [
      { kind: "lost-answer", on: create } as const,
      { kind: "unlisted", on: create, seconds: 50 } as const,
    ];
    await using world = await startWorld({ faults });
    await world.run(world.start().make(kind, "train", args));
    expect(posts(world)).toBe(1);
    expect(looks(world, at)).toEqual([1, 5, 15, 30, 60]);
  });

  test("that the server did not act on is sent once more after a minute, and bought once", async () => {
    await using world = await startWorld({ faults: [{ kind: "reset", on: create }] });
    await world.run(world.start().make(kind, "train", args));
    expect(posts(world)).toBe(2);
    expect(looks(world, at).slice(0, 5)).toEqual([1, 5, 15, 30, 60]);
    expect(everBilled(world)).toHaveLength(1);
    expect(world.lines.map(({ message }) => message).join("\n")).toContain("sending it once more");
  });

  test("is not sent again when the lists cannot be read for that minute", async () => {
    await using world = await startWorld({ faults: [{ kind: "lost-answer", on: create }] });
    const making = outcomeOf(world.start().make(kind, "train", args));
    await world.clock.advance(500);
    world.api.addFault({ kind: "status", times: "always", on: `GET ${at}/list` });
    expect(await world.run(making)).toMatchObject({
      ends: "error",
      words: expect.stringContaining("Cannot tell whether"),
    });
    expect(posts(world)).toBe(1);
    const kept = await converges(world, { kind, name: "train", args }, undefined);
    expect(everBilled(world)).toEqual([kept.id]);
  });

  test("is not sent a third time when the second is lost too", async () => {
    await using world = await startWorld({ faults: [{ kind: "reset", on: create, times: 2 }] });
    const first = await world.run(outcomeOf(world.start().make(kind, "train", args)));
    expect(first).toMatchObject({ ends: "error", words: expect.stringContaining("Cannot tell whether POST") });
    expect(posts(world)).toBe(2);
    await converges(world, { kind, name: "train", args }, undefined);
    expect(everBilled(world)).toHaveLength(1);
  });

  test("is found when the second is lost and was acted on", async () => {
    const faults = [{ kind: "reset", on: create } as const, { kind: "lost-answer", on: create } as const];
    await using world = await startWorld({ faults });
    const made = await world.run(world.start().make(kind, "train", args));
    expect(posts(world)).toBe(2);
    expect(everBilled(world)).toEqual([made.id]);
  });

  test("that answers 409 to the second is found as soon as it is listed", async () => {
    const faults = [
      { kind: "lost-answer", on: create } as const,
      { kind: "unlisted", on: create, seconds: 63 } as const,
    ];
    await using world = await startWorld({ faults });
    const made = await world.run(world.start().make(kind, "train", args));
    expect(posts(world)).toBe(2);
    expect(everBilled(world)).toEqual([made.id]);
  });

  test("that is never listed in time ends in an error, and the next run takes it over", async () => {
    const faults = [
      { kind: "lost-answer", on: create } as const,
      { kind: "unlisted", on: create, seconds: 300 } as const,
    ];
    await using world = await startWorld({ faults });
    const first = await world.run(outcomeOf(world.start().make(kind, "train", args)));
    expect(first).toMatchObject({ ends: "error", words: expect.stringContaining("already in use") });
    await world.clock.advance(300_000);
    const kept = await converges(world, { kind, name: "train", args }, undefined);
    expect(everBilled(world)).toEqual([kept.id]);
  });

  test("with a name of the program's own is taken over, because the name was free before", async () => {
    await using world = await startWorld({ faults: [{ kind: "lost-answer", on: create }] });
    const made = await world.run(world.start().make(kind, "train", { ...args, name: "mine" }));
    expect(made).toMatchObject({ reasons: [], outputs: { name: "mine" } });
    expect(everBilled(world)).toEqual([made.id]);
  });

  test("that comes through late beside the second is kept as an init error that names both", async () => {
    let sent = 0;
    // A server that lets two objects have one name: the first has another one while the second is made.
    await using world = await startWorld({ faults: [{ kind: "lost-answer", on: create }] }, async (request, send) => {
      const [first] = everBilled(world);
      const isCreate = callOf(request) === create;
      if (isCreate) sent += 1;
      if (first !== undefined) world.api.edit(first, { name: isCreate || sent < 2 ? "elsewhere" : String(name) });
      const response = await send(request);
      if (isCreate && sent === 2 && first !== undefined) world.api.edit(first, { name: String(name) });
      return response;
    });
    const up = world.start();
    const name = (await up.check(kind, "train", args)).inputs["name"];
    const made = await world.run(up.make(kind, "train", args));
    const [first = "", second = ""] = everBilled(world);
    expect(posts(world)).toBe(2);
    expect(made).toMatchObject({
      id: first,
      reasons: [expect.stringContaining(`${first} and ${second} both exist and are billed`)],
    });
  });

  test("is never sent twice to a server that has no list", async () => {
    await using world = await startWorld({
      without: [`GET ${at}/list`],
      faults: [{ kind: "lost-answer", on: create }],
    });
    const first = await world.run(outcomeOf(world.start().make(kind, "train", args)));
    expect(first).toMatchObject({ ends: "error", words: expect.stringContaining("Cannot tell whether") });
    expect(posts(world)).toBe(1);
  });

  test("that answers 202 with neither an id nor a request is looked for", async () => {
    await using world = await startWorld({ omit: ["request_id", "cluster_id", "storage_id"] });
    const made = await world.run(world.start().make(kind, "train", args));
    expect(made.reasons).toEqual([]);
    expect(billed(world)).toEqual([made.id]);
    expect(posts(world)).toBe(1);
  });
});

describe.for(BOUGHT)("a create of a $kind buys nothing", ({ kind, args }) => {
  test("when the engine that asked for it is gone", async () => {
    await using world = await startWorld();
    const up = world.start({ hasNoEngine: () => true });
    await expect(world.run(up.make(kind, "train", args))).rejects.toThrow(/the Pulumi engine .* no longer answers/);
    expect(posts(world)).toBe(0);
  });

  test("when the engine dies while the first answer is looked for", async () => {
    await using world = await startWorld({
      faults: [
        { kind: "reset", on: "POST /cluster/create" },
        { kind: "reset", on: "POST /storage/create" },
      ],
    });
    const up = world.start({ hasNoEngine: () => posts(world) > 0 });
    await expect(world.run(up.make(kind, "train", args))).rejects.toThrow(/no longer answers/);
    expect(posts(world)).toBe(1);
  });

  test.for([
    { env: { TENSORPOOL_KEY: "" }, says: /TENSORPOOL_KEY, or run pulumi config set --secret tensorpool:apiKey/ },
    { env: { TENSORPOOL_KEY: "wrong" }, says: /401: Invalid or missing authentication token.*Check the API key/s },
    { env: { TENSORPOOL_ENGINE: "nowhere" }, says: /at "nowhere": TENSORPOOL_ENGINE/ },
    { env: { TENSORPOOL_ENGINE: "http://127.0.0.1:9" }, says: /ECONNREFUSED.*Check TENSORPOOL_ENGINE/s },
  ])("with $env", async ({ env, says }) => {
    await using world = await startWorld();
    await expect(world.run(world.start({ env }).make(kind, "train", args))).rejects.toThrow(says);
    expect(everBilled(world)).toEqual([]);
  });
});
