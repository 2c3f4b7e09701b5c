import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { apiError, type Failure, failureOf, mayHaveActed, mayRepeat, serverWords } from "../../provider/api/failure.ts";
import { createCluster, destroyCluster } from "../../provider/api/routes.ts";
import { pulumiAdvice } from "../../provider/hooks/advice.ts";
import { parseFields } from "../../provider/json.ts";
import { broken } from "./fake-context.ts";

const answered = (status: number): Failure => ({ kind: "answered", status, words: "" });

describe("mayRepeat()", () => {
  test.for([200, 301, 400, 401, 402, 403, 404, 408, 409, 410, 422, 500, 501, 502, 503, 504, 599])(
    "forbids what buys a second time when the answer is %d",
    (status) => {
      expect(mayRepeat("buys", answered(status))).toBe(false);
    },
  );

  test.for(["reads", "settles", "buys"] as const)("allows what %s when nothing was done", (effect) => {
    expect(mayRepeat(effect, answered(429))).toBe(true);
    expect(mayRepeat(effect, { kind: "unsent", status: 0, words: "" })).toBe(true);
  });

  test("forbids what buys a second time when its answer was lost", () => {
    expect(mayRepeat("buys", { kind: "lost", status: 0, words: "" })).toBe(false);
  });

  test.for(["reads", "settles"] as const)("allows what %s when the server is in trouble", (effect) => {
    for (const status of [408, 500, 502, 503, 504]) expect(mayRepeat(effect, answered(status))).toBe(true);
    expect(mayRepeat(effect, { kind: "lost", status: 0, words: "" })).toBe(true);
  });

  test.for(["reads", "settles"] as const)("forbids what %s when the server refuses it", (effect) => {
    for (const status of [301, 400, 401, 402, 403, 404, 409, 422]) {
      expect(mayRepeat(effect, answered(status))).toBe(false);
    }
  });
});

test.for([400, 401, 402, 403, 404, 409, 422, 429])("mayHaveActed() is false when the answer is %d", (status) => {
  expect(mayHaveActed(answered(status))).toBe(false);
});

describe("failureOf()", () => {
  test.for([
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "UND_ERR_CONNECT_TIMEOUT",
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ])("knows that nothing was sent when the code is %s", (code) => {
    expect(failureOf(broken(code)).kind).toBe("unsent");
    expect(failureOf(new Error("fetch failed", { cause: broken(code) })).kind).toBe("unsent");
    expect(failureOf(new AggregateError([broken(code), broken(code)])).kind).toBe("unsent");
  });

  test.for([
    "ECONNRESET",
    "EPIPE",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ETIMEDOUT",
    "UND_ERR_HEADERS_TIMEOUT",
    "UND_ERR_SOCKET",
    "UND_ERR_RES_EXCEEDED_MAX_SIZE",
  ])("leaves open whether the server has acted when the code is %s", (code) => {
    expect(failureOf(broken(code)).kind).toBe("lost");
  });

  test.for([new Error(""), new AggregateError([]), "text", undefined, null, 7])(
    "takes it for lost, with some words, when %j was thrown",
    (thrown) => {
      const { kind, words } = failureOf(thrown);
      expect(kind).toBe("lost");
      expect(words).not.toBe("");
    },
  );

  test("names the code when the message lacks it", () => {
    expect(failureOf(broken("ECONNRESET", "socket hang up")).words).toBe("socket hang up (ECONNRESET)");
    expect(failureOf(broken("ECONNRESET", "read ECONNRESET")).words).toBe("read ECONNRESET");
  });
});

describe("serverWords()", () => {
  test.for([
    ['{"message":"m","error":"e"}', "m"],
    // What follows in the error brings a full stop.
    ['{"message":"No balance. Top up."}', "No balance. Top up"],
    ['{"message":"wait..."}', "wait..."],
    ["It broke.\n", "It broke"],
    ['{"error":"e","detail":"d"}', "e"],
    ['{"detail":"d","external_message":"x"}', "d"],
    ['{"detail":[{"msg":"one"},{"msg":"two"}]}', "one; two"],
    ['{"external_message":"x"}', "x"],
    ['{"message":"","error":"e"}', "e"],
    ['{"message":{"deep":1}}', '{"message":{"deep":1}}'],
    ["<html>bad gateway</html>", "<html>bad gateway</html>"],
    ["  ", "(empty answer)"],
    ["", "(empty answer)"],
  ] as const)("reads them when the body is %s", ([raw, expected]) => {
    expect(serverWords(parseFields(raw), raw)).toBe(expected);
  });

  test("gives some text when the body is any JSON", () => {
    fc.assert(
      fc.property(fc.json(), (raw) => {
        expect(serverWords(parseFields(raw), raw)).not.toBe("");
      }),
    );
  });
});

describe("apiError()", () => {
  test.for([
    [401, "TENSORPOOL_KEY"],
    [402, "balance"],
    [403, "permission"],
    [404, "TENSORPOOL_ENGINE"],
    [409, "conflict"],
    [429, "rate limit"],
    [302, "Redirects are not followed"],
    [500, "recovered"],
    [422, "Correct what it names"],
  ] as const)("says what to do when the status is %d", ([status, expected]) => {
    expect(apiError(createCluster, "/cluster/create", answered(status), 1, pulumiAdvice).message).toContain(expected);
  });

  test("carries each fact as a field when the server has answered", () => {
    const failure: Failure = { ...answered(409), words: "taken", requestId: "r-9", askAgainAtMs: 5 };
    const error = apiError(destroyCluster, "/cluster/c-1", failure, 3, pulumiAdvice);
    expect(error).toMatchObject({
      method: "DELETE",
      path: "/cluster/c-1",
      status: 409,
      serverMessage: "taken",
      requestId: "r-9",
      attempts: 3,
      askAgainAtMs: 5,
    });
    expect(error.message).toContain(
      "Cannot DELETE /cluster/c-1: the API answered 409 after 3 attempts: taken (request r-9)",
    );
    expect(error).not.toHaveProperty("id");
  });

  test("has no status when no answer came", () => {
    const failure = { kind: "unsent", status: 0, words: "refused" } as const;
    const error = apiError(createCluster, "/cluster/create", failure, 1, pulumiAdvice);
    expect(error.status).toBeUndefined();
    expect(error.message).toContain("no usable answer came");
  });
});
