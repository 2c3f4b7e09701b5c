import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accepted,
  attachedIds,
  clusterFields,
  recordIn,
  requestInfo,
  sshKeyFields,
  volumeFields,
} from "../../provider/api/wire.ts";

const record = fc.dictionary(
  fc.constantFrom("id", "name", "status", "instances", "size_gb", "request_id", "request_ids", "storage", "detail"),
  fc.jsonValue(),
);

describe("accepted()", () => {
  test.for([
    [
      { request_id: "r-1", cluster_id: "c-1" },
      { id: "c-1", requestIds: ["r-1"] },
    ],
    [{ request_id: "r-1" }, { id: undefined, requestIds: ["r-1"] }],
    [{ request_ids: ["r-1", "r-2"] }, { id: undefined, requestIds: ["r-1", "r-2"] }],
    [
      { request_id: "r-1", request_ids: ["r-2", "r-1"] },
      { id: undefined, requestIds: ["r-1", "r-2"] },
    ],
    [
      { request_id: null, request_ids: ["", 7, null] },
      { id: undefined, requestIds: [] },
    ],
    [
      { message: "ok", cluster_id: "" },
      { id: undefined, requestIds: [] },
    ],
  ] as const)("reads the handles when the answer is %j", ([body, expected]) => {
    expect(accepted(body, "cluster_id")).toEqual(expected);
  });
});

describe("requestInfo()", () => {
  test.for([
    [
      { status: "completed", object_id: "c-1" },
      { status: "COMPLETED", objectId: "c-1", words: undefined },
    ],
    [
      { status: "FAILED", external_message: "x.", message: "m." },
      { status: "FAILED", objectId: undefined, words: "m: x" },
    ],
    [
      { status: "FAILED", detail: "d" },
      { status: "FAILED", objectId: undefined, words: "d" },
    ],
    [{ status: 7 }, { status: "", objectId: undefined, words: undefined }],
    [{}, { status: "", objectId: undefined, words: undefined }],
  ] as const)("reads what is there when the answer is %j", ([body, expected]) => {
    expect(requestInfo(body)).toEqual(expected);
  });
});

test("clusterFields() leaves out what the record lacks when it has little", () => {
  expect(clusterFields({ id: "c-1", deletion_protection: null, extra: 1 })).toEqual({});
  expect(clusterFields({ tp_cluster_name: "train", status: "running", num_nodes: 2 })).toEqual({
    name: "train",
    status: "RUNNING",
    numNodes: 2,
  });
});

test("clusterFields() reads the nodes when the record has some", () => {
  const instances = [{ id: "i-1", status: "running", ip_address: "1.2.3.4" }, { public_ip: "5.6.7.8" }, "odd"];
  expect(clusterFields({ instances })).toEqual({
    instances: [{ id: "i-1", status: "RUNNING", ipAddress: "1.2.3.4" }, { ipAddress: "5.6.7.8" }],
  });
});

test("volumeFields() reads the record when it is whole", () => {
  expect(volumeFields({ name: "v", status: "READY", size_gb: 500, deletion_protection: false })).toEqual({
    name: "v",
    status: "READY",
    sizeGb: 500,
    deletionProtection: false,
  });
});

test.for([
  [{ attached_clusters: ["c-1", { id: "c-2" }, 7, {}] }, ["c-1", "c-2"]],
  [{ storage: [{ id: "s-1" }] }, ["s-1"]],
  [{ storage: [] }, []],
  [{ storage: null }, undefined],
  [{}, undefined],
] as const)("attachedIds() tells them or that it cannot when the record is %j", ([fields, expected]) => {
  expect(attachedIds(fields)).toEqual(expected);
});

test("recordIn() takes the record when it is wrapped, and when it is not", () => {
  expect(recordIn({ cluster_info: { id: "c-1" } }, "cluster_info")).toEqual({ id: "c-1" });
  expect(recordIn({ id: "c-1", cluster_info: null }, "cluster_info")).toEqual({ id: "c-1", cluster_info: null });
});

test.for([clusterFields, volumeFields, sshKeyFields])(
  "%o never gives undefined when the record is any JSON",
  (read) => {
    fc.assert(
      fc.property(record, (fields) => {
        expect(Object.values(read(fields))).not.toContain(undefined);
      }),
    );
  },
);

test("accepted() and requestInfo() never throw when the answer is any JSON", () => {
  fc.assert(
    fc.property(record, (fields) => {
      expect(accepted(fields, "id").requestIds.every((requestId) => requestId.length > 0)).toBe(true);
      expect(requestInfo(fields).status).toBe(requestInfo(fields).status.toUpperCase());
      expect(attachedIds(fields) ?? []).toSatisfy(Array.isArray);
    }),
  );
});
