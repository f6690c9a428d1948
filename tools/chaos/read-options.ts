/** The options of `npm run chaos -- …`. */
import { parseArgs } from "node:util";
import type { ChaosEngine } from "./engines/engine-hands.ts";

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

/** The budget is 30 s; a real n8n takes 10 to 17 s to boot on a quiet machine, twice in an update. */
const convergeSeconds = { "node-red": 30, n8n: 90 } as const;

const usage = "npm run chaos -- [--rounds 200] [--seed 1] [--from 0] [--engine node-red|n8n] [--lanes 2] [--limit 30]";

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
  const engine = values.engine ?? "node-red";
  if (engine !== "node-red" && engine !== "n8n") throw new Error(`There is no engine ${engine}. ${usage}`);
  // A real n8n takes a core while it boots.
  const [rounds, lanes] = engine === "n8n" ? [20, 1] : [200, 2];
  const convergeMs = 1000 * count(values.limit, convergeSeconds[engine]);
  return {
    engine,
    convergeMs,
    seed: count(values.seed, 1),
    from: count(values.from, 0),
    rounds: count(values.rounds, rounds),
    lanes: Math.max(1, count(values.lanes, lanes)),
  };
}
