import { describe, expect, test } from "vitest";
import { type Diff, diff } from "../../provider/operations/diff.ts";
import { type FieldTable, plainText, UNKNOWN } from "../../provider/operations/fields.ts";
import { keepAdopted } from "../../provider/operations/keep-adopted.ts";
import { sshKeyResource } from "../../provider/operations/ssh-key.ts";
import { storageAttachmentResource } from "../../provider/operations/storage-attachment.ts";

const fields: FieldTable = {
  type: { wrong: plainText, change: "replaces" },
  keys: { wrong: plainText, change: "replaces" },
  name: { wrong: plainText, change: "updates" },
  once: { wrong: plainText, change: "stored" },
};
const NOTHING: Diff = { changes: false, replaces: [] };
const UPDATE: Diff = { changes: true, replaces: [] };
const replace = (...keys: string[]): Diff => ({ changes: true, replaces: keys });

describe("diff()", () => {
  test.for([
    ["nothing differs", { type: "a", name: "n" }, { type: "a", name: "n" }, NOTHING],
    ["a replacing key differs", { type: "a" }, { type: "b" }, replace("type")],
    ["an updating key differs", { name: "a" }, { name: "b" }, UPDATE],
    ["a key differs that is used at creation only", { once: "a" }, { once: "b" }, UPDATE],
    [
      "several differ",
      { type: "a", keys: ["x"], name: "n" },
      { type: "b", keys: ["y"], name: "m" },
      replace("type", "keys"),
    ],
    ["the old outputs lack a key", {}, { type: "b", name: "n" }, NOTHING],
    ["the program leaves a key open", { type: "a", name: "n" }, {}, NOTHING],
    ["a key was set and is nothing now", { name: "a" }, { name: null }, UPDATE],
    ["a key is nothing in both", { name: null }, { name: null }, NOTHING],
    ["the order of a list differs", { keys: ["x", "y"] }, { keys: ["y", "x"] }, NOTHING],
    ["blanks around a listed text differ", { keys: ["x"] }, { keys: [" x\n"] }, NOTHING],
    ["a list has more of one", { keys: ["x", "y"] }, { keys: ["x", "x", "y"] }, replace("keys")],
    ["a replacing key is unknown", { type: "a" }, { type: UNKNOWN }, replace("type")],
    ["an updating key is unknown", { name: "a" }, { name: UNKNOWN }, UPDATE],
    ["part of a list is unknown", { keys: ["x"] }, { keys: [UNKNOWN] }, replace("keys")],
    ["outputs that are no arguments differ", { status: "RUNNING", requestId: "r" }, { status: "X" }, NOTHING],
    [
      "hidden keys differ",
      { __urn: "a", __seed: "a", __provider: "a", __side: true },
      { __urn: "b", __seed: "b" },
      NOTHING,
    ],
  ] as const)("is right when %s", ([, olds, news, expected]) => {
    expect(diff(fields, olds, news)).toEqual(expected);
  });

  test.for(["PENDING", "PROVISIONING", "CONFIGURING"])("starts an update when the status is %s", (status) => {
    expect(diff(fields, { status }, {})).toEqual(UPDATE);
  });

  test.for(["FAILED", "DESTROYING", "DESTROYED", "MISSING"])("replaces when the status is %s", (status) => {
    expect(diff(fields, { status }, {})).toEqual(replace("status"));
  });

  test.for(["RUNNING", "READY", "ATTACHED", "ON_HOLD", ""])("starts nothing when the status is %j", (status) => {
    expect(diff(fields, { status }, {})).toEqual(NOTHING);
  });

  test("starts an update when a request is pending", () => {
    expect(diff(fields, { __pending: { requestIds: ["r-1"] } }, {})).toEqual(UPDATE);
  });

  test.for([
    [{ create: 60 }, { create: 60 }, NOTHING],
    [{ create: 60 }, { create: 61 }, UPDATE],
    [undefined, { create: 60 }, UPDATE],
    [{ create: 60 }, undefined, UPDATE],
    [null, undefined, NOTHING],
  ] as const)("compares the time limits when they are %j and %j", ([old, wanted, expected]) => {
    expect(diff(fields, { timeouts: old }, { timeouts: wanted })).toEqual(expected);
  });
});

describe("keepAdopted()", () => {
  const replacing: Diff = { changes: true, replaces: ["zone"] };
  const olds = { adopt: "t-1", zone: "a" };

  test.for([
    ["it was adopted", { adopt: "t-1" }, "t-1"],
    ["adopt has come since, with its id", {}, "t-9"],
    ["adopt has come since, with its name", { name: "box" }, "box"],
  ] as const)("refuses what destroys the object that adopt still names, when %s", ([, before, adopt]) => {
    expect(() => keepAdopted("thing", "t-9", before, { adopt, zone: "b" }, replacing, true)).toThrow(
      `Cannot replace thing t-9: zone has changed, and adopt: "${adopt}" would look for it in vain once it is destroyed. Nothing was changed. Take adopt out`,
    );
  });

  test("warns of what goes with something that is replaced, before the program has its say", () => {
    expect(keepAdopted("thing", "t-1", olds, { adopt: "t-1", zone: UNKNOWN }, replacing, false)).toBe(
      "thing t-1 is replaced, because what its zone comes from is. Take adopt out of the program if it is still there: once t-1 is destroyed, it would be looked for in vain",
    );
  });

  test.for([
    ["adopt is taken out", { adopt: null, zone: "b" }, replacing, true],
    ["adopt names another one", { adopt: "t-2", zone: "b" }, replacing, true],
    ["the value is not known yet and may be the same", { adopt: "t-1", zone: UNKNOWN }, replacing, true],
    ["nothing is replaced", { adopt: "t-1", zone: "b" }, { changes: true, replaces: [] }, true],
    ["a refresh asks what has drifted", { adopt: "t-1", zone: "b" }, replacing, false],
  ] as const)("lets pass when %s", ([, news, found, isWanted]) => {
    const diff = { ...found, replaces: [...found.replaces] };
    expect(keepAdopted("thing", "t-1", olds, news, diff, isWanted)).toBeUndefined();
  });
});

describe("storageAttachmentResource.diff()", () => {
  const ends = { clusterId: "c-1", storageId: "s-1" };
  const placeholder = { clusterId: "request:r-1", storageId: "s-1" };

  test.for([
    ["the same ends are named", ends, ends, NOTHING],
    ["another cluster is named", ends, { ...ends, clusterId: "c-2" }, replace("clusterId")],
    ["a placeholder has become the id it stood for", { ...placeholder, __resolved: ends }, ends, NOTHING],
    ["the placeholder is still named", { ...placeholder, __resolved: ends }, placeholder, NOTHING],
    [
      "a placeholder has become another id",
      { ...placeholder, __resolved: ends },
      { ...ends, clusterId: "c-2" },
      replace("clusterId"),
    ],
    ["an end is unknown", ends, { ...ends, storageId: UNKNOWN }, replace("storageId")],
  ] as const)("is right when %s", ([, olds, news, expected]) => {
    expect(storageAttachmentResource.diff(olds, news)).toEqual(expected);
  });
});

describe("sshKeyResource.diff()", () => {
  test.for([
    ["the text is the same", "ssh-ed25519 AAAA me", "ssh-ed25519 AAAA me", NOTHING],
    ["only its line end differs", "ssh-ed25519 AAAA me\n", "ssh-ed25519 AAAA me", NOTHING],
    ["only its comment differs", "ssh-ed25519 AAAA me", "ssh-ed25519 AAAA you@there", NOTHING],
    ["it is another key", "ssh-ed25519 AAAA me", "ssh-ed25519 BBBB me", replace("publicKey")],
    ["it is unknown", "ssh-ed25519 AAAA me", UNKNOWN, replace("publicKey")],
  ] as const)("is right when %s", ([, old, wanted, expected]) => {
    expect(sshKeyResource.diff({ publicKey: old }, { publicKey: wanted })).toEqual(expected);
  });
});
