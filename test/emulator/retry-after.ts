import type { Settings } from "./options.ts";

/** The header that asks a client to wait for `seconds` from now on, in the form that this server uses. */
export function retryAfter({ clock, clockSkewSeconds, retryAfterFormat }: Settings, seconds: number): string {
  if (retryAfterFormat === "seconds") return String(seconds);
  // A date has whole seconds: rounding down would ask for less than was meant.
  const wholeSecond = Math.ceil(clock.now() / 1_000 + clockSkewSeconds + seconds);
  return new Date(wholeSecond * 1_000).toUTCString();
}

/** The time until which a header, sent now, asks to wait; `undefined` when nothing can be made of it. */
export function waitUntilMs({ clock, clockSkewSeconds }: Settings, header: string | undefined): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return clock.now() + Number(text) * 1_000;
  const dateMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : dateMs - clockSkewSeconds * 1_000;
}
