/** Which plans of the catalogue are offered, and in which order. */
import type { Plan, PlanSpec } from "#contract/billing/plans/plan.ts";
import { numberFormat } from "../../lib/formats.ts";
import { t } from "../billing/words.ts";
import { executionsWords } from "./quotas/quota-words.ts";

export type Period = "monthly" | "yearly";

/** `v3` is 3; anything unreadable is older than all. */
const versionNumber = ({ metadata }: PlanSpec): number => Number(/^v(\d+)$/.exec(metadata.version)?.[1] ?? 0);

/** The latest plans have metadata version v3 or higher. */
export const isLatest = ({ spec }: Plan): boolean => versionNumber(spec) >= 3;

/** Yearly plans have the billing type `year`. */
export const periodOf = (plan: Plan): Period => (plan.billing_type === "year" ? "yearly" : "monthly");

/** Sorts plans by their recurring price in USD, cheapest first. */
export const byPrice = (plans: readonly Plan[]): Plan[] =>
  plans.toSorted((one, other) => usd(one) - usd(other) || one.id.localeCompare(other.id));

const usd = (plan: Plan): number => plan.recurring_price["USD"] ?? Infinity;

/** The latest plans of a period, and the account's current plan if it is no longer one of them. */
export function shownPlans(plans: readonly Plan[], period: Period, current: Plan | null): Plan[] {
  const latest = plans.filter((plan) => isLatest(plan) && periodOf(plan) === period && plan.billing_type !== "one-time");
  const isGone = current && current.billing_type !== "one-time" && !plans.some(({ id }) => id === current.id && isLatest(current));
  return byPrice(isGone ? [...latest.filter(({ id }) => id !== current.id), current] : latest);
}

/** The name that a plan shares with its other sizes, or its own. */
export const familyOf = ({ name, spec }: Plan): string => spec.family ?? name;

/** The sizes of each plan together, smallest first, in the order of their cheapest ones. */
export function plansByFamily(shown: readonly Plan[]): Plan[][] {
  // An earlier plan may have the name of a family without being of it.
  const areSizes = (one: Plan, other: Plan) => one.spec.family === other.spec.family && familyOf(one) === familyOf(other);
  const firsts = shown.filter((plan, index) => shown.findIndex((other) => areSizes(plan, other)) === index);
  return firsts.map((first) => byPrice(shown.filter((plan) => areSizes(first, plan))));
}

/** The size of a plan among those of its family: what its name adds, such as `10K`, or its executions. */
export function sizeOf({ name, spec: { family, monthlyExecutionsLimit: limit } }: Plan): string {
  if (family && name.startsWith(`${family} `)) return name.slice(family.length + 1);
  return limit === -1 ? executionsWords(limit) : compact.format(limit);
}

/** A plan before and after a change, distinguished if both have the same name: by executions, or by how often they are paid. */
export function namesApart(before: NamedPlan, after: NamedPlan): [string, string] {
  if (before.name !== after.name) return [before.name, after.name];
  const differ = before.executions !== after.executions;
  const told = ({ name, executions, isYearly }: NamedPlan) =>
    `${name}, ${differ ? executionsWords(executions) : t(isYearly ? "plans.yearly" : "plans.monthly").toLowerCase()}`;
  return [told(before), told(after)];
}

interface NamedPlan {
  name: string;
  executions: number;
  isYearly: boolean;
}

const compact = numberFormat({ notation: "compact" });

/** Currencies in which every one of these plans can be paid; USD, which every plan has, first. */
export function sharedCurrencies(plans: readonly Plan[]): string[] {
  const [first, ...others] = plans.map((plan) => Object.keys(plan.recurring_price));
  const shared = (first ?? []).filter((currency) => others.every((list) => list.includes(currency)));
  return shared.toSorted((one, other) => Number(other === "USD") - Number(one === "USD") || one.localeCompare(other));
}

/** The length of a billing period in months. */
export const monthsOf = ({ billing_period: { unit, count } }: Plan): number =>
  unit === "yr" ? 12 * count : unit === "month" ? count : count / 30;

/**
 * The minimum percentage by which a year costs less than twelve months, rounded down so that no more is promised than given. 0 if no plan
 * has both.
 */
export function yearlyPercent(plans: readonly Plan[], currency: string): { percent: number; isSameForAll: boolean } {
  const percents = plans
    .filter((plan) => periodOf(plan) === "yearly" && isLatest(plan))
    .flatMap((year) => {
      const month = plans.find((plan) => periodOf(plan) === "monthly" && plan.spec.id === year.spec.id);
      const [monthly, yearly] = [month?.recurring_price[currency], year.recurring_price[currency]];
      return monthly && yearly !== undefined ? [Math.floor((1 - yearly / (12 * monthly)) * 100)] : [];
    });
  return { percent: Math.max(0, ...percents), isSameForAll: new Set(percents).size <= 1 };
}
