/** Whether a plan change is an upgrade or a downgrade, which decides when it takes effect. Panel and service must agree on this. */
export type ChangeDirection = "upgrade" | "downgrade" | "same";

export interface ComparedPlan {
  /** Per month, and at the same time; -1 is unlimited. */
  executions: number;
  workflows: number;
  /** In USD, minor units a month. */
  monthlyPrice: number;
  /** How many labels it has in the catalogue. */
  features: number;
  /** The length of its period. */
  months: number;
}

const size = (limit: number): number => (limit < 0 ? Infinity : limit);
const step = (before: number, next: number): number => (size(before) === size(next) ? 0 : Math.sign(size(next) - size(before)));

/** By what is allowed; if that is mixed, by the monthly price; if equal, by the features, then by the length of the period. */
export function changeDirection(from: ComparedPlan, to: ComparedPlan): ChangeDirection {
  const steps = [step(from.executions, to.executions), step(from.workflows, to.workflows)] as const;
  const sum = steps[0] + steps[1];
  if (sum !== 0) return sum > 0 ? "upgrade" : "downgrade";
  const both = steps[0] === 0 ? 0 : to.monthlyPrice - from.monthlyPrice;
  const by = both || to.features - from.features || to.months - from.months;
  return by > 0 ? "upgrade" : by < 0 ? "downgrade" : "same";
}
