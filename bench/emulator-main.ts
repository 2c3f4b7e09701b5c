/**
 * Runs emulators in a process of their own, so that their work is nobody else's: one for each set of options in the JSON
 * list that is the only argument. Prints their addresses as a JSON list, and ends with its standard input.
 */
import { startEmulator } from "../test/emulator/index.ts";

const all = await Promise.all(JSON.parse(process.argv[2] ?? "[]").map(startEmulator));
process.stdout.write(`${JSON.stringify(all.map(({ url }) => url))}\n`);
process.stdin.resume().once("end", () => process.exit());
