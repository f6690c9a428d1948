/** The findings of a run, as lines and as tables. */
import { actions, describeRound, victims } from "./plan-round.ts";
import type { RoundResult } from "./run-round.ts";

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/** One line for each round and, after violations, how to repeat them. */
export function reportRound(
  { plan, action, convergedMs, violations, killed }: RoundResult,
  { engine, seed }: { engine: string; seed: number },
): string {
  const outcome = convergedMs === null ? "did not converge" : `converged in ${seconds(convergedMs)} s`;
  const instead = action === plan.action ? "" : ` (did: ${action})`;
  const line = `${String(plan.number).padStart(4)}  ${describeRound(plan)}${instead}; killed ${killed.length}; ${outcome}${violations.length > 0 ? `; ${violations.length} VIOLATIONS` : ""}`;
  if (violations.length === 0) return line;
  return [
    line,
    ...violations.map((what) => `        ${what}`),
    `        again: npm run chaos -- --engine ${engine} --seed ${seed} --from ${plan.number} --rounds 1`,
  ].join("\n");
}

/** The value below which `share` of the sorted values lie. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Kills by victim and action, recovery times, violations. */
export function reportRun(results: readonly RoundResult[]): string {
  const width = 15;
  const killsOf = (action: string, victim: string) =>
    results
      .filter((result) => result.action === action)
      .flatMap(({ killed }) => killed)
      .filter((each) => each === victim).length;
  const table = [
    ["action", "rounds", ...victims, "violations"],
    ...actions.map((action) => {
      const mine = results.filter((result) => result.action === action);
      return [
        action,
        mine.length,
        ...victims.map((victim) => killsOf(action, victim)),
        mine.flatMap(({ violations }) => violations).length,
      ];
    }),
    [
      "all",
      results.length,
      ...victims.map((victim) => results.flatMap(({ killed }) => killed).filter((each) => each === victim).length),
      results.flatMap(({ violations }) => violations).length,
    ],
  ];
  const times = results.flatMap(({ convergedMs }) => (convergedMs === null ? [] : [convergedMs])).toSorted((one, other) => one - other);
  const never = results.length - times.length;
  return [
    "",
    ...table.map((row) => row.map((cell, index) => (index === 0 ? String(cell).padEnd(11) : String(cell).padStart(width))).join("")),
    "",
    `converged after the last fault: median ${seconds(quantile(times, 0.5))} s, 95 % within ${seconds(quantile(times, 0.95))} s, longest ${seconds(times.at(-1) ?? 0)} s; ${never} not in time`,
  ].join("\n");
}
