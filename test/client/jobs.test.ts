import { describe, expect, test } from "vitest";
import { startClientWorld, thrown } from "./world.ts";

describe("jobs.list() and jobs.get()", () => {
  test("show jobs under this package's names, the organization's with includeOrg", async () => {
    await using world = await startClientWorld();
    const own = world.api.addJob({ status: "error", exit_code: 3, public_message: "out of memory" });
    const shared = world.api.addJob({ owner: "organization", status: "running" });
    const { jobs } = world.client;
    expect(await world.run(jobs.list())).toMatchObject([
      { id: own, status: "error", exitCode: 3, message: "out of memory", instanceType: "1xH100" },
    ]);
    expect((await world.run(jobs.list({ includeOrg: true }))).map(({ id }) => id)).toEqual([own, shared]);
    expect(await world.run(jobs.get(shared))).toMatchObject({ id: shared, status: "running" });
    expect(await thrown(world.run(jobs.get("j-none")))).toMatchObject({ name: "ApiError", status: 404 });
  });
});

describe("jobs.cancel()", () => {
  test.for([
    { status: 200, requestId: false },
    { status: 202, requestId: false },
    { status: 200, requestId: true },
    { status: 202, requestId: true },
  ] as const)("waits until the job is canceled when the answer is %j", async (jobCancel) => {
    await using world = await startClientWorld({ jobCancel });
    const id = world.api.addJob({ status: "running" });
    const { outcome, job } = await world.run(world.client.jobs.cancel(id));
    expect([outcome, job.status]).toEqual(["cancelled", "canceled"]);
    const asked = world.api.ledger().requests.some(({ path }) => path.startsWith("/request/info/"));
    expect(asked).toBe(jobCancel.requestId);
    expect(world.api.ledger().requests.filter(({ early }) => early)).toEqual([]);
  });

  test.for(["completed", "error", "failed"] as const)("says so when the job is %s already", async (status) => {
    await using world = await startClientWorld();
    const id = world.api.addJob({ status });
    expect(await world.run(world.client.jobs.cancel(id))).toMatchObject({
      outcome: "already finished",
      job: { id, status },
    });
  });

  test.for([
    ["canceled", 1],
    ["canceling", 1],
  ] as const)("is done when the job is %s by an earlier cancel", async ([status, sent]) => {
    await using world = await startClientWorld();
    const id = world.api.addJob({ status });
    // Nothing moves a job that was put there as canceling: another hand does.
    if (status === "canceling") {
      world.api.addFault({
        kind: "status",
        status: 200,
        on: "GET /job/info/{job_id}",
        after: 3,
        body: { job_info: { id, status: "canceled" } },
      });
    }
    expect(await world.run(world.client.jobs.cancel(id))).toMatchObject({ outcome: "cancelled" });
    expect(world.count(`POST /job/cancel/${id}`)).toBe(sent);
  });

  test("cancels once more, harmlessly, when the answer is lost", async () => {
    await using world = await startClientWorld();
    const id = world.api.addJob({ status: "running" });
    world.api.addFault({ kind: "lost-answer", on: "POST /job/cancel/{job_id}" });
    expect(await world.run(world.client.jobs.cancel(id))).toMatchObject({ outcome: "cancelled" });
  });

  test("throws the server's reason when the cancel fails and the job runs on", async () => {
    await using world = await startClientWorld({ jobCancel: { status: 202, requestId: true } });
    const id = world.api.addJob({ status: "running" });
    world.api.addFault({ kind: "failed", message: "not now", on: "POST /job/cancel/{job_id}" });
    const { message } = await thrown(world.run(world.client.jobs.cancel(id)));
    expect(message).toContain("not now");
  });

  test("trusts the request where the server shows no jobs", async () => {
    await using world = await startClientWorld({ minimalSpec: true });
    const id = world.api.addJob({ status: "running" });
    expect(await world.run(world.client.jobs.cancel(id))).toMatchObject({ outcome: "cancelled", job: { id } });
  });

  test("throws when there is no such job, or when it is stopped", async () => {
    await using world = await startClientWorld({ operationSeconds: 1_000 });
    expect(await thrown(world.run(world.client.jobs.cancel("j-none")))).toMatchObject({ status: 404 });
    const id = world.api.addJob({ status: "running" });
    const stopped = await thrown(world.run(world.client.jobs.cancel(id, { timeoutMs: 20_000 })));
    expect(stopped).toMatchObject({ name: "StoppedError", why: "limit" });
  });
});

describe("jobs.pull()", () => {
  test("gives signed URLs, and null for each file in a dry run", async () => {
    await using world = await startClientWorld();
    const id = world.api.addJob({ outputs: { "a.txt": "a", "out/b.txt": "b" } });
    const dry = await world.run(world.client.jobs.pull(id, { dryRun: true }));
    expect(dry).toEqual({
      message: "2 output files",
      downloadMap: { "a.txt": null, "out/b.txt": null },
      command: null,
      commandShowStdout: null,
    });
    const { downloadMap } = await world.run(world.client.jobs.pull(id));
    expect(await (await fetch(downloadMap["out/b.txt"] ?? "")).text()).toBe("b");
  });

  test("waits as long as signing many URLs takes", async () => {
    await using world = await startClientWorld();
    const id = world.api.addJob();
    world.api.addFault({ kind: "slow", seconds: 45, on: "GET /job/pull/{job_id}" });
    await world.run(world.client.jobs.pull(id));
    expect(world.count(`GET /job/pull/${id}`)).toBe(1);
  });

  test("sends system and privateKeyPath, and gives the command as the text that it is", async () => {
    await using world = await startClientWorld();
    const id = world.api.addJob({ status: "running" });
    const command = "rsync -e 'ssh -i ~/.ssh/id' u@h:o . ; touch /tmp/pwned $(reboot)";
    const body = { message: "live", command, command_show_stdout: true };
    world.api.addFault({ kind: "status", status: 200, body, on: "GET /job/pull/{job_id}" });
    const pulled = await world.run(world.client.jobs.pull(id, { system: "linux", privateKeyPath: "~/.ssh/id" }));
    expect(pulled).toEqual({ message: "live", command, commandShowStdout: true, downloadMap: {} });
    const wrong = world.client.jobs.pull(id, { system: "Linux" as "linux" });
    expect(await thrown(world.run(wrong))).toMatchObject({ name: "TypeError" });
  });
});
