import { nameOf, type Outcome } from "../engine/session.ts";
import type { Store } from "../engine/state.ts";
import type { Author } from "./programs.ts";
import type { Server } from "./server.ts";

const ADOPT = /add adopt: "([^"]+)"/;
const NOTHING_TO_ADOPT =
  /Cannot adopt .*(there is none|have this name)|Take adopt out of the program to have it destroyed/;
const ADOPTED_DIFFERS = /its (\w+) is ("[^"]*"|[\w.]+), not/g;
const USELESS = /Cannot adopt .* (\S+): .*Destroy it with the tp command/;
const ATTACHED = /Storage (\S+) is attached to cluster (\S+); detach it first/;
const PROTECTED = /deletion ?protection/i;
const ENGINE_PROTECTED = /marked for protection|because it is protected/;
const REFRESH = /pulumi refresh/;

/**
 * A user who reads what a failed command says and does just that.
 * @returns what was done; `refresh` where that was asked for
 */
export function obey({ failures }: Outcome, author: Author, store: Store, server: Server): string[] {
  const state = store.read();
  const done: string[] = [];
  for (const { urn, messages } of failures) {
    const text = messages.join("\n");
    const name = nameOf(urn);
    const adopt = ADOPT.exec(text)?.[1];
    if (adopt !== undefined) {
      author.change(name, { adopt });
      done.push(`${name}: add adopt ${adopt}`);
    }
    if (NOTHING_TO_ADOPT.test(text)) {
      author.change(name, { adopt: undefined });
      done.push(`${name}: leave out adopt`);
    }
    const useless = USELESS.exec(text)?.[1];
    if (useless !== undefined) {
      server.destroyByHand(useless);
      author.change(name, { adopt: undefined });
      done.push(`${name}: destroy ${useless} by hand, leave out adopt`);
    } else if (text.startsWith("Cannot adopt")) {
      for (const [, key = "", value = ""] of text.matchAll(ADOPTED_DIFFERS)) {
        author.change(name, { [key]: JSON.parse(value) });
        done.push(`${name}: ${key} is ${value}`);
      }
    }
    const [, volume, cluster] = ATTACHED.exec(text) ?? [];
    if (volume !== undefined && cluster !== undefined) {
      server.detachByHand(`${cluster}/${volume}`);
      done.push(`detach ${volume} from ${cluster} by hand`);
    }
    if (ENGINE_PROTECTED.test(text)) {
      author.unprotect();
      store.write({ ...state, resources: state.resources.map((one) => ({ ...one, protect: false })) });
      done.push("unprotect in the program, and pulumi state unprotect");
    } else if (PROTECTED.test(text)) {
      for (const one of state.resources.filter((resource) => resource.urn === urn)) server.unprotect(one.id);
      author.change(name, { deletionProtection: undefined });
      done.push(`${name}: deletion protection off`);
    }
    if (REFRESH.test(text)) done.push("refresh");
  }
  return done;
}
