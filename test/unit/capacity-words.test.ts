import { expect, test } from "vitest";
import { AnswerLostError, ApiError, RequestFailedError } from "../../provider/errors.ts";
import { noCapacityIn } from "../../provider/operations/capacity-words.ts";

const refused = (status: number | undefined, serverMessage: string): ApiError =>
  new ApiError({ method: "POST", path: "/cluster/create", status, serverMessage, attempts: 1, advice: "" });

test.for([
  "No capacity",
  "no capacity in us-east",
  "There is not enough GPU capacity for 8xH200",
  "Insufficient capacity. Try again later",
  "We are out of H100 capacity",
  "Capacity for 8xB200 is currently not available",
  "capacity exhausted",
  "We currently do not have sufficient p5.48xlarge capacity in the zone you requested",
  "The zone does not have enough resources available to fulfill the request",
  "No available 8xH200 nodes",
  "There are no longer any instances available with the requested specifications",
  "No H200 nodes are available at the moment",
  "Not enough GPUs available",
  "8xH100 is sold out",
])("noCapacityIn() knows %s, in a refusal, a FAILED request and a lost answer", (words) => {
  expect(noCapacityIn(refused(409, words))).toBe(words);
  expect(noCapacityIn(refused(400, words))).toBe(words);
  expect(noCapacityIn(new RequestFailedError("r-1", words))).toBe(words);
  expect(noCapacityIn(new AnswerLostError("POST", "/cluster/create", words, ""))).toBe(words);
});

test.for([
  "The quota of your organization leaves no capacity for 8xH200",
  "Insufficient balance",
  "No capacity left under the limit of your account",
  "No H100 capacity is included: upgrade your plan",
  "There are not enough nodes: storage needs 2 or more",
  "The node caught fire",
  "No such instance type is available",
  "This name is taken",
  "",
])("noCapacityIn() leaves alone what is none: %s", (words) => {
  expect(noCapacityIn(refused(409, words))).toBeUndefined();
  expect(noCapacityIn(new RequestFailedError("r-1", words))).toBeUndefined();
});

test.for([401, 402, 403, 408, 429, 500, 503, undefined])(
  "noCapacityIn() goes by the status when that has a meaning of its own: %s",
  (status) => {
    expect(noCapacityIn(refused(status, "No capacity"))).toBeUndefined();
    expect(noCapacityIn(new Error("No capacity"))).toBeUndefined();
  },
);
