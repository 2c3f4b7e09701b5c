import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Emulator } from "../emulator/index.ts";
import { runTensorpool } from "./command.ts";
import { openScene, PUBLIC_KEY, type Scene, sorted } from "./scene.ts";

interface Told {
  readonly file: string;
  readonly command: string;
  readonly program: string;
}

/** What `pulumi-tensorpool import` tells, once the command that it names has been run. */
async function imported({ stack }: Scene, kind: string, ids: readonly string[]): Promise<string> {
  const args = ["import", kind, ...ids, "--stack", stack.name, "--overwrite", "--json"];
  const { code, stdout, output } = await runTensorpool(stack, args);
  expect(code, output).toBe(0);
  const { file, command, program } = JSON.parse(stdout) as Told;
  expect(command).toBe(`pulumi import --file ${file} --generate-code=false --stack ${stack.name}`);
  const done = await stack.run(["import", "--file", file, "--generate-code=false"], { check: true });
  expect(done.output).not.toContain("warning");
  return program;
}

/** Objects that somebody has made by hand. */
function byHand(api: Emulator): Record<"cluster" | "volume" | "attachment" | "key" | "bucket", string[]> {
  const box = api.addCluster({ name: "Box #1 ü: a/b", instance_type: "8xH200", num_nodes: 2 });
  const twin = api.addCluster({ instance_type: "1xH100", deletion_protection: true });
  api.edit(twin, { name: "Box #1 ü: a/b" });
  const volume = api.addVolume({ name: "class", size_gb: 700 });
  api.edit(box, { storage: [volume] });
  const keys = ["8 keys", "8 keys"].map((name, at) =>
    api.addSshKey({ name, public_key: PUBLIC_KEY.replace("AAAAAA", `AAAAA${at}`) }),
  );
  const bucket = ["models", "weights"].map((name) => api.addBucket({ name }));
  return { cluster: [box, twin], volume: [volume], attachment: [`${box}/${volume}`], key: keys, bucket };
}

test("what exists is imported, of all five kinds, and up, refresh and preview show no change", async () => {
  await using scene = await openScene("");
  const { api, stack, sent, billed } = scene;
  const all = byHand(api);
  const programs: string[] = [];
  for (const [kind, ids] of Object.entries(all)) {
    programs.push(await imported(scene, kind, ids));
    await writeFile(path.join(stack.folder, "index.ts"), programs.join("\n"));
    const up = await stack.up(["--expect-no-changes"], { check: true });
    expect(up.output).toMatch(/Resources:\n {4}\d+ unchanged\n\n/);
  }
  const before = await scene.resources();
  expect(sorted(before.map(({ id }) => id))).toEqual(sorted(Object.values(all).flat()));
  expect(before.every(({ protect }) => protect)).toBe(true);
  await stack.refresh(["--expect-no-changes"], { check: true });
  await stack.preview(["--expect-no-changes", "--refresh"], { check: true });
  expect(sent()).toEqual([]);
  const outputs = (state: typeof before) => state.map((one) => [one.urn, one.outputs, one.inputs]);
  expect(outputs(await scene.resources())).toEqual(outputs(before));

  // As the hint in the attachment's text says.
  const { cluster, volume } = all;
  const program = programs
    .join("\n")
    .replace(`clusterId: "${cluster[0]}"`, "clusterId: box1ÜABCluster.id")
    .replace(`storageId: "${volume[0]}"`, "storageId: classVolume.id");
  await writeFile(path.join(stack.folder, "index.ts"), program);
  await stack.up(["--expect-no-changes"], { check: true });

  // From here on they live as if they had been created.
  const edited = program.replace("sizeGb: 700", "sizeGb: 800").replaceAll("protect: true", "");
  await writeFile(path.join(stack.folder, "index.ts"), edited.replace("deletionProtection: true,", ""));
  await stack.up([], { check: true });
  expect(sent().sort()).toEqual([`PATCH /cluster/edit/${cluster[1]}`, `PATCH /storage/edit/${volume[0]}`]);
  const orphans = await runTensorpool(stack, ["orphans", "--stack-export", await exported(scene)]);
  expect(orphans).toMatchObject({ code: 0, stdout: "no orphans (3 billed, 1 state)\n" });
  await stack.destroy([], { check: true });
  expect(billed()).toEqual([]);
});

test("import into a stack that has resources adds to them, and refuses what the stack has", async () => {
  await using scene = await openScene('new StorageVolume("data", { sizeGb: 1 });');
  const { api, stack, sent } = scene;
  await stack.up([], { check: true });
  const [mine = ""] = scene.billed();
  const id = api.addVolume({ name: "data", size_gb: 2 });
  const refused = await runTensorpool(stack, ["import", "volume", id, mine, "--stack", stack.name]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`Cannot import storage volume ${mine}: the stack has it already`);
  const program = await imported(scene, "volume", [id]);
  expect(program).toContain(`"data-${id}"`);
  const [, ...statements] = program.split("\n");
  await scene.write(`new StorageVolume("data", { sizeGb: 1 });\n${statements.join("\n")}`);
  await stack.up(["--expect-no-changes"], { check: true });
  expect(sent()).toEqual(["POST /storage/create"]);
  expect(await scene.tracked()).toEqual(sorted([mine, id]));
});

async function exported({ stack }: Scene): Promise<string> {
  await stack.run(["stack", "export", "--file", "state.json"], { check: true });
  return "state.json";
}
