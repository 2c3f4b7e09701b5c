/**
 * Instance types known when this release was made, for the editor and for hints. The catalogue changes and the API has
 * no list of it, so one that is missing here is sent all the same.
 */
export const INSTANCE_TYPES = [
  "1xH100",
  "2xH100",
  "4xH100",
  "8xH100",
  "1xH200",
  "2xH200",
  "4xH200",
  "8xH200",
  "1xB200",
  "2xB200",
  "4xB200",
  "8xB200",
  "1xB300",
  "2xB300",
  "4xB300",
  "8xB300",
  "1xL40S",
  "32xCPU",
  "64xCPU",
] as const;

export const ACCELERATORS: readonly string[] = [...new Set(INSTANCE_TYPES.map((type) => type.replace(/^\d+x/, "")))];

/** A known type, completed by the editor, or any other count and accelerator. */
export type InstanceType = (typeof INSTANCE_TYPES)[number] | (`${number}x${string}` & {});
