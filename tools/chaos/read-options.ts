/** The options of `npm run chaos -- …`. */
import { parseArgs } from "node:util";
import { engineNames, type EngineName } from "#contract/workspaces/engine-names.ts";
import { engineHands } from "./engines/engine-hands.ts";

export interface ChaosOptions {
  seed: number;
  /** The number of the first round. */
  from: number;
  rounds: number;
  engine: EngineName;
  /** Programs in parallel; the rounds are dealt out among them. */
  lanes: number;
  /** The time within which everything must have recovered. */
  convergeMs: number;
}

const usage = `npm run chaos -- [--rounds 200] [--seed 1] [--from 0] [--engine ${engineNames.join("|")}] [--lanes 2] [--limit 30]`;

/** Throws with the usage if an option is invalid. */
export function readOptions(args: readonly string[]): ChaosOptions {
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
  const name = values.engine ?? "node-red";
  const engine = engineNames.find((each) => each === name);
  if (!engine) throw new Error(`There is no engine ${name}. ${usage}`);
  const { convergeSeconds, rounds, lanes } = engineHands[engine];
  const convergeMs = 1000 * count(values.limit, convergeSeconds);
  return {
    engine,
    convergeMs,
    seed: count(values.seed, 1),
    from: count(values.from, 0),
    rounds: count(values.rounds, rounds),
    lanes: Math.max(1, count(values.lanes, lanes)),
  };
}
