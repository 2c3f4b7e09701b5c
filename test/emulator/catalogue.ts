/** What can be rented and for how much: section 8 of the API notes, collected from public sources in November 2026. */

const COUNTS: Readonly<Record<string, readonly number[]>> = {
  H100: [1, 2, 4, 8],
  H200: [1, 2, 4, 8],
  B200: [1, 2, 4, 8],
  B300: [1, 2, 4, 8],
  L40S: [1],
  CPU: [32, 64],
};

const USD_PER_HOUR: Readonly<Record<string, number>> = {
  H100: 1.99,
  H200: 2.99,
  B200: 4.99,
  B300: 5.49,
  L40S: 1.49,
  CPU: 0.015,
};

const MULTI_NODE: readonly string[] = ["8xH200", "8xB200"];

const USD_PER_GB_MONTH = 0.1;
/** guessed: only the price per month is published */
const HOURS_PER_MONTH = 730;

/** Why no such cluster can be had, in the server's words; `undefined` when it can. */
export function refusalOf(instanceType: string, numNodes: number): string | undefined {
  const [count = "", accelerator = ""] = instanceType.split("x", 2);
  const counts = COUNTS[accelerator];
  if (counts === undefined) return `Unknown instance type ${instanceType}`;
  if (!counts.some((one) => `${one}x${accelerator}` === instanceType)) {
    return `${accelerator} cannot be had ${count} at a time, only ${counts.join(", ")}`;
  }
  if (numNodes > 1 && !MULTI_NODE.includes(instanceType)) {
    return `${instanceType} does not support multiple nodes, only ${MULTI_NODE.join(" and ")} do`;
  }
  return undefined;
}

export function clusterUsdPerHour(instanceType: string, numNodes: number): number {
  const [count = "", accelerator = ""] = instanceType.split("x", 2);
  return round(Number(count) * (USD_PER_HOUR[accelerator] ?? 0) * numNodes);
}

export function volumeUsdPerHour(sizeGb: number): number {
  return round((sizeGb * USD_PER_GB_MONTH) / HOURS_PER_MONTH);
}

/** Storage attaches only to multi-node GPU clusters and to CPU instances (section 10.1). */
export function takesStorage(instanceType: string, numNodes: number): boolean {
  return numNodes > 1 || instanceType.endsWith("xCPU");
}

function round(usd: number): number {
  return Number(usd.toFixed(6));
}
