/** All rounds of one lane, one after the other. */
import { openLane, type LaneOptions } from "../lane.ts";
import type { RoundPlan } from "./plan-round.ts";
import { runRound, type RoundLimits, type RoundResult } from "./run-round.ts";

interface LaneRun extends LaneOptions, RoundLimits {
  plans: readonly RoundPlan[];
  onRound(result: RoundResult): void;
}

/** Resolves with every round; a round that cannot be carried out counts as a violation, and ends the lane. */
export async function runRounds({ plans, onRound, convergeMs, ...options }: LaneRun): Promise<RoundResult[]> {
  await using lane = await openLane(options);
  const results: RoundResult[] = [];
  for (const plan of plans) {
    const result = await runRound(lane, plan, { convergeMs }).catch((error: unknown): RoundResult => ({
      plan,
      action: plan.action,
      killed: [],
      convergedMs: null,
      violations: [
        `the round could not be carried out: ${error instanceof Error ? error.stack : String(error)}`,
        lane.slipway.output().slice(-2_000),
      ],
    }));
    results.push(result);
    onRound(result);
    if (result.violations.some((what) => what.startsWith("the round could not"))) break;
  }
  return results;
}
