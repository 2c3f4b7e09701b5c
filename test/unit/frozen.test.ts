import { describe, expect, test } from "vitest";
import { providerText } from "../../provider/frozen.ts";

describe("providerText()", () => {
  // These bytes lie in users' state files: a test that fails here means that they could no longer be destroyed.
  test.for([
    ["seed", 'exports.handler=()=>require("pulumi-tensorpool/provider").seed'],
    ["sshKey", 'exports.handler=()=>require("pulumi-tensorpool/provider").sshKey'],
    ["cluster", 'exports.handler=()=>require("pulumi-tensorpool/provider").cluster'],
    ["storageVolume", 'exports.handler=()=>require("pulumi-tensorpool/provider").storageVolume'],
    ["storageAttachment", 'exports.handler=()=>require("pulumi-tensorpool/provider").storageAttachment'],
    ["bucket", 'exports.handler=()=>require("pulumi-tensorpool/provider").bucket'],
  ] as const)("gives the very bytes of all releases when the kind is %s", ([kind, bytes]) => {
    expect(providerText(kind)).toBe(bytes);
    expect(Buffer.byteLength(providerText(kind))).toBeLessThanOrEqual(80);
  });
});
