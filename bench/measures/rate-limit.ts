import { createStack } from "../../test/cli/cli.ts";
import { envOf, startApis } from "../emulator.ts";
import { type Plan, repeated } from "../plan.ts";
import { type Row, rowOf } from "../row.ts";
import { BUYERS, type Buyer, FOLDERS } from "../subjects.ts";
import { secondsOf } from "./stacks.ts";

const CLUSTERS = 100;
const PER_SECOND = 20;

/** `up` against a server that takes 20 requests a second and answers 429 to the rest. */
export async function measureRateLimit({ runs }: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const subject of BUYERS) {
    const values = await repeated(runs, () => limitedUp(subject));
    const label = { subject, n: CLUSTERS, case: `${PER_SECOND} requests a second` };
    rows.push(
      rowOf(
        { ...label, measure: "rate-limited-up" },
        values.map(({ seconds }) => seconds),
      ),
      rowOf(
        { ...label, measure: "requests-per-operation" },
        values.map(({ requests }) => requests),
      ),
    );
  }
  return rows;
}

async function limitedUp(subject: Buyer): Promise<{ seconds: number | undefined; requests: number | undefined }> {
  const rateLimit = { perSecond: PER_SECOND, burst: PER_SECOND };
  await using server = await startApis([{ operationSeconds: 2, retryAfterSeconds: 1, rateLimit }]);
  const [api] = server.apis;
  if (api === undefined) throw new Error("Cannot measure: there is no emulator");
  const env = { ...envOf(api), BENCH_CLUSTERS: String(CLUSTERS) };
  await using stack = await createStack({ program: FOLDERS[subject], env });
  const seconds = await secondsOf(stack, "up");
  const { billed, requests } = await api.ledger();
  return { seconds: billed.length === CLUSTERS ? seconds : undefined, requests: seconds && requests.length / CLUSTERS };
}
