import { type Fields, Refusal } from "./answer.ts";

interface Problem {
  readonly loc: readonly string[];
  readonly msg: string;
  readonly type: string;
}

/** Reads the fields of a request and collects all that is wrong with them. An explicit null counts as absent. */
export interface Reader {
  text(key: string): string | undefined;
  requiredText(key: string): string;
  whole(key: string, least: number): number | undefined;
  requiredWhole(key: string, least: number): number;
  flag(key: string): boolean | undefined;
  texts(key: string): readonly string[] | undefined;
  problem(key: string, message: string): void;
  /** @throws Refusal 422 in the form of FastAPI, with all problems at once */
  check(): void;
}

export function readerOf(fields: Fields, where: "body" | "query" = "body"): Reader {
  const problems: Problem[] = [];
  const problem = (key: string, msg: string, type = "value_error"): void => {
    problems.push({ loc: [where, key], msg, type });
  };
  function read<T>(key: string, is: (value: unknown) => value is T, expected: string): T | undefined {
    const value = fields[key] ?? undefined;
    if (value === undefined || is(value)) return value;
    problem(key, `${key} should be ${expected}`, "type_error");
    return undefined;
  }
  function required<T>(key: string, value: T | undefined, otherwise: T): T {
    if ((fields[key] ?? undefined) === undefined) problem(key, `Field required: ${key}`, "missing");
    return value ?? otherwise;
  }
  const text = (key: string): string | undefined => read(key, isText, "a non-empty string");
  const whole = (key: string, least: number): number | undefined =>
    read(key, (value) => isWhole(value, least), `an integer of at least ${least}`);
  return {
    text,
    requiredText: (key) => required(key, text(key), ""),
    whole,
    requiredWhole: (key, least) => required(key, whole(key, least), least),
    flag: (key) => read(key, (value) => typeof value === "boolean", "a boolean"),
    texts: (key) => read(key, isTexts, "a list of strings"),
    problem,
    check() {
      if (problems.length === 0) return;
      const message = problems.map((one) => one.msg).join("; ");
      throw new Refusal({ status: 422, body: { detail: problems, message } }, message);
    },
  };
}

/** A query as fields: whole numbers as numbers. */
export function queryFields(query: URLSearchParams): Fields {
  return Object.fromEntries([...query].map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]));
}

/** Python writes `True`. */
export function isTrue(query: URLSearchParams, key: string): boolean {
  return query.get(key)?.toLowerCase() === "true";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isInteger(value) && Number(value) >= least;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
