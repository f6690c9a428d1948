/** The options of `npm run chaos -- …`. */
import { parseArgs } from "node:util";
import { engineHands, type ChaosEngine } from "./engines/engine-hands.ts";

export interface ChaosOptions {
  seed: number;
  /** The number of the first round. */
  from: number;
  rounds: number;
  engine: ChaosEngine;
  /** Programs in parallel; the rounds are dealt out among them. */
  lanes: number;
  /** The time within which everything must have recovered. */
  convergeMs: number;
}

const engines = Object.keys(engineHands) as ChaosEngine[];
/** Real workspaces, and then those that sleep. */
const usualEngines: readonly ChaosEngine[] = ["node-red", "stand-in"];

const usage = `npm run chaos -- [--rounds 200] [--seed 1] [--from 0] [--engine ${engines.join("|")}] [--lanes 2] [--limit 30]`;

/** The runs to make, one after the other. Throws with the usage if an option is invalid. */
export function readOptions(args: readonly string[]): ChaosOptions[] {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: text, seed: text, from: text, engine: text, lanes: text, limit: text },
  });
  const count = (value: string | undefined, otherwise: number): number => {
    const number = Number(value ?? otherwise);
    if (!Number.isInteger(number) || number < 0) throw new Error(`${value} is not a whole number. ${usage}`);
    return number;
  };
  const chosen = values.engine === undefined ? usualEngines : engines.filter((each) => each === values.engine);
  if (chosen.length === 0) throw new Error(`There is no engine ${values.engine}. ${usage}`);
  return chosen.map((engine) => {
    const { convergeSeconds, rounds, lanes } = engineHands[engine];
    return {
      engine,
      convergeMs: 1000 * count(values.limit, convergeSeconds),
      seed: count(values.seed, 1),
      from: count(values.from, 0),
      rounds: count(values.rounds, rounds),
      lanes: Math.max(1, count(values.lanes, lanes)),
    };
  });
}
