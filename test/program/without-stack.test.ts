import * as pulumi from "@pulumi/pulumi";
import { StorageVolume } from "pulumi-tensorpool";
import { expect, test } from "vitest";
import { valueOf } from "./program.ts";

/** What most users' unit tests do: mocks that know nothing of a Seed, and no stack around the resources. */
async function volumeUnderMocks(project: string, isPreview = false): Promise<StorageVolume> {
  const newResource = ({ name, inputs }: pulumi.runtime.MockResourceArgs): pulumi.runtime.MockResourceResult => ({
    id: `${project}-${name}`,
    state: inputs,
  });
  await pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs }, project, "stack", isPreview);
  return new StorageVolume("v", { sizeGb: 7 });
}

test.for(["one", "two"])("StorageVolume() needs no stack and no Seed from mocks, in project %s", async (project) => {
  const volume = await volumeUnderMocks(project);
  expect(await valueOf([volume.id, volume.sizeGb])).toEqual([`${project}-v`, 7]);
});

test("StorageVolume() keeps the outputs known that are arguments when mocks are in preview", async () => {
  const volume = await volumeUnderMocks("three", true);
  expect(await valueOf(volume.sizeGb)).toBe(7);
});
