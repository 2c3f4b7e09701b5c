import { type Answer, type Fields, ok, refusal } from "../answer.ts";
import { readerOf } from "../body.ts";
import type { Emulator } from "../emulator.ts";
import { isFault } from "../faults.ts";

type Control = Pick<Emulator, "ledger" | "edit" | "remove" | "setFaults">;

/** Routes for another process that drives this emulator. They need no key, never fail, and are in no ledger. */
export function controlRoutes(emulator: Control): Readonly<Record<string, (body: Fields) => Answer>> {
  return {
    "GET /__emulator/ledger": () => ok({ ...emulator.ledger() }),
    "POST /__emulator/edit": (body) => {
      const { change } = body;
      const id = idIn(body);
      if (typeof change !== "object" || change === null) throw refusal(422, "Field required: change");
      return done(() => emulator.edit(id, { ...change }));
    },
    "POST /__emulator/remove": (body) => {
      const id = idIn(body);
      return done(() => emulator.remove(id));
    },
    "POST /__emulator/faults": ({ faults }) => {
      if (!Array.isArray(faults) || !faults.every(isFault)) throw refusal(422, "faults should be a list of faults");
      return done(() => emulator.setFaults(faults));
    },
  };
}

function idIn(body: Fields): string {
  const reader = readerOf(body);
  const id = reader.requiredText("id");
  reader.check();
  return id;
}

function done(act: () => void): Answer {
  try {
    act();
  } catch (error) {
    throw refusal(404, String(error));
  }
  return ok({ message: "Done" });
}
