import { isFields, number, text } from "../provider/json.ts";

/** What a viewer draws of a trace: a bar on a row, perhaps inside another one. */
export interface Slice {
  /** Such as `cluster train`. */
  readonly row: string;
  readonly name: string;
  /** 0 for the outermost. */
  readonly depth: number;
  /** In milliseconds since the epoch. */
  readonly atMs: number;
  /** Undefined when the run was killed before. */
  endMs: number | undefined;
  /** What is shown with it, of its beginning and its end. */
  readonly args: Record<string, unknown>;
}

/** Reads a file that `TENSORPOOL_TRACE` has made. @throws Error when a viewer would draw something else than what was */
export function slicesOf(trace: string): Slice[] {
  // A viewer closes the array by itself.
  const events: unknown = JSON.parse(`${trace.replace(/,\n$/, "")}]`);
  if (!Array.isArray(events)) throw new TypeError("Cannot read the trace: it is no array");
  const rows = new Map<string, string>();
  const open = new Map<string, Slice[]>();
  const all: Slice[] = [];
  for (const event of events.filter(isFields)) {
    const line = `${number(event, "pid")}/${number(event, "tid")}`;
    const args = isFields(event["args"]) ? event["args"] : {};
    const atMs = (number(event, "ts") ?? 0) / 1000;
    const stack = open.get(line) ?? [];
    open.set(line, stack);
    const name = text(event, "name") ?? "";
    const slice: Slice = {
      row: rows.get(line) ?? "",
      name,
      depth: stack.length,
      atMs,
      endMs: undefined,
      args: { ...args },
    };
    switch (event["ph"]) {
      case "M":
        rows.set(line, text(args, "name") ?? "");
        break;
      case "B":
        stack.push(slice);
        all.push(slice);
        break;
      case "E": {
        const begun = stack.pop();
        if (begun?.name !== name)
          throw new Error(`Cannot read the trace: line ${line} ends ${name} within ${begun?.name ?? "nothing"}`);
        begun.endMs = atMs;
        Object.assign(begun.args, args);
        break;
      }
      case "X":
        all.push({ ...slice, endMs: atMs + (number(event, "dur") ?? 0) / 1000 });
        break;
      default:
        throw new Error(`Cannot read the trace: it has an event of the unknown kind ${String(event["ph"])}`);
    }
  }
  return all;
}
