import { type Answer, type Fields, ok, refusal } from "../answer.ts";
import { isTrue } from "../body.ts";
import type { GeneratedFile } from "../generated.ts";
import { begin } from "../objects.ts";
import type { Caller } from "../options.ts";
import type { Call, Routes } from "../table.ts";
import { isListed, type JobRecord, type StoredJob, type World } from "../world.ts";
import { downloadUrl } from "./downloads.ts";

const TERMINAL: readonly string[] = ["completed", "error", "failed", "canceled"];

/** A job that tests put there: no route of this emulator starts one. */
export interface JobOptions extends Partial<Omit<JobRecord, "id">> {
  /** Output files by path: their text, or how many bytes to make up. @default none */
  readonly outputs?: Readonly<Record<string, string | GeneratedFile>>;
}

export function jobRoutes(world: World): Routes {
  return {
    "GET /job/init": () => ok({ empty_tp_config: 'commands = []\noutputs = []\nignore = [".venv"]\n' }),
    "GET /job/list": ({ caller, query }) => {
      const found = [...world.jobs.values()].filter((one) => isListed(one, caller, isTrue(query, "include_org")));
      return ok({ message: found.map(line).join("\n") || "No jobs found", jobs: found.map((one) => one.record) });
    },
    "GET /job/info/{job_id}": (call) => {
      const job = find(world, call);
      return ok({ message: line(job), job_info: job.record });
    },
    "POST /job/cancel/{job_id}": (call) => cancel(world, call),
    "GET /job/pull/{job_id}": (call) => pull(world, call),
    "DELETE /job/delete/{job_id}": (call) => {
      const { record } = find(world, call);
      if (!TERMINAL.includes(record.status)) throw refusal(409, `Job ${record.id} is ${record.status}`); // guessed: 409
      world.jobs.delete(record.id);
      return ok({ message: `Job ${record.id} deleted` });
    },
  };
}

/** Puts a job there. */
export function addJob(world: World, caller: Caller, { outputs = {}, ...given }: JobOptions): StoredJob {
  const { status = "completed" } = given;
  const exit_code = status === "completed" ? 0 : status === "error" ? 1 : null;
  const guesses = { cluster_id: null, instance_type: "1xH100", exit_code, public_message: null };
  const job: StoredJob = { ...caller, record: { ...guesses, ...given, id: world.ids("j"), status }, outputs };
  world.jobs.set(job.record.id, job);
  return job;
}

function find(world: World, { caller, id }: Call): StoredJob {
  const job = world.jobs.get(id);
  if (job?.account !== caller.account) throw refusal(404, `Job ${id} not found`);
  return job;
}

function cancel(world: World, call: Call): Answer {
  const { record } = find(world, call);
  const { status: before } = record;
  const isOver = TERMINAL.includes(before) || before === "canceling";
  if (isOver) throw refusal(409, `Job ${record.id} is ${before}`); // guessed: 409
  record.status = "canceling";
  const operation = begin(world, call, {
    type: "JOB_CANCEL",
    objectId: record.id,
    succeed: () => void (record.status = "canceled"),
    fail: (keepObject = true) => void (record.status = keepObject ? before : "canceled"),
  });
  const { status, requestId } = world.settings.jobCancel;
  const body: Fields = { job_id: record.id, message: `Canceling job ${record.id}`, status: record.status };
  return { status, body: requestId ? { ...body, request_id: operation.id } : body };
}

function pull(world: World, call: Call): Answer {
  const { record, outputs } = find(world, call);
  const isDryRun = isTrue(call.query, "dry_run");
  const paths = record.status === "completed" ? Object.keys(outputs) : [];
  const download_map = Object.fromEntries(
    paths.map((path) => [path, isDryRun ? null : downloadUrl(world, record.id, path)]),
  );
  const message = paths.length > 0 ? `${paths.length} output files` : `Job ${record.id} has no output files`;
  // The vendor's client runs `command` in a shell: this server never sends one.
  return ok({ message, download_map, command: null, command_show_stdout: null });
}

function line({ record }: StoredJob): string {
  return `${record.id}  ${record.instance_type ?? "-"}  ${record.status}`;
}
