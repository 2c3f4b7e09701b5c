import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ALL_FOUR, openScene } from "./scene.ts";

/** What the first release has left, of all five kinds. It is never made anew: today's code must get on with it. */
const OLD: unknown = JSON.parse(await readFile(path.join(import.meta.dirname, "fixtures/state-v1.json"), "utf8"));

const [KEY, CLUSTER, VOLUME] = ["k-716c4306", "c-9c43a8c3", "s-a08ff49b"];

test("a state of the first release is refreshed without a change, is up to date, edited, and destroyed", async () => {
  await using scene = await openScene(ALL_FOUR, { name: "old" });
  const { api, stack, sent, billed } = scene;
  const created_at = "2026-11-21T08:02:17.341Z";
  api.addSshKey({ id: KEY, name: "me-7447c98a", public_key: `ssh-ed25519 ${"A".repeat(68)} me@laptop` });
  api.addCluster({
    id: CLUSTER,
    name: "train-c6586af5",
    instance_type: "8xH200",
    num_nodes: 2,
    created_at,
    instances: [
      { id: "i-b7cf3c25", ip_address: "203.0.113.1", private_ip_address: "10.0.0.1" },
      { id: "i-632b9240", ip_address: null, private_ip_address: "10.0.0.2" },
    ],
  });
  api.addVolume({ id: VOLUME, name: "data-17b69e57", size_gb: 500, created_at: "2026-11-21T08:02:17.232Z" });
  api.edit(CLUSTER, { storage: [VOLUME] });

  await stack.import(OLD, { check: true });
  const refresh = await stack.refresh(["--expect-no-changes"], { check: true });
  expect(refresh.output).toMatch(/6 unchanged/);
  await stack.up(["--expect-no-changes"], { check: true });
  expect(sent()).toEqual([]);
  await scene.write(ALL_FOUR.replace("sizeGb: 500", "sizeGb: 600"));
  await stack.up([], { check: true });
  expect(sent()).toEqual([`PATCH /storage/edit/${VOLUME}`]);
  await stack.destroy([], { check: true });
  expect(sent(1)[0]).toBe("POST /storage/detach");
  expect(sent(2).sort()).toEqual([
    `DELETE /cluster/${CLUSTER}`,
    `DELETE /storage/${VOLUME}`,
    `DELETE /user/ssh-key/remove/${KEY}`,
  ]);
  expect(billed()).toEqual([]);
});
