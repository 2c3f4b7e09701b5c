/**
 * `npm run test:kill -- [--rounds N] [--seed K]`: kills and Ctrl-Cs at random moments, through the real CLI. Ends with
 * exit code 0 only if nothing was lost, nothing was bought twice, and every round converged.
 */
import { parseArgs } from "node:util";
import { killRounds } from "./kill-rounds.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
if (!(Number.isSafeInteger(rounds) && rounds > 0 && Number.isSafeInteger(seed))) {
  throw new RangeError(`Cannot use --rounds ${values.rounds} --seed ${values.seed}: expected whole numbers`);
}
const result = await killRounds(rounds, seed, (line) => process.stdout.write(`${line}\n`));
const { lost, boughtTwice, notConverged } = result;
process.exitCode = lost + boughtTwice + notConverged > 0 ? 1 : 0;
const blows = Object.entries(result.blows).map(([blow, count]) => `${blow} ${count}`);
process.stdout.write(`kills and cancels: ${blows.sort().join("; ")}\n`);
process.stdout.write(
  `rounds ${result.rounds}, lost ${lost}, bought twice ${boughtTwice}, not converged ${notConverged}, seed ${seed}\n`,
);
