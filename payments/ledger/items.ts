/** What is sold: a purchase with the prices it was bought at. Later catalogue changes do not affect existing customers. */
import type { Plan } from "#contract/billing/plans/plan.ts";
import { say } from "#contract/sentences/say.ts";
import type { ProviderLine, Purchase, UnpaidTime } from "../payment-provider.ts";
import { ProviderRefusal } from "../payment-provider.ts";
import { proportion, sum } from "./money-math.ts";
import type { Cycle, Share } from "./billing-cycle.ts";

export interface Items {
  purchase: Purchase;
  planName: string;
  cycle: Cycle;
  currency: string;
  planAmount: number;
  executionUnitAmount: number;
  executionsPerUnit: number;
  workflowUnitAmount: number;
}

/** Finds a plan's price; undefined if there is no such plan. */
export type FindPrice = (planId: string) => Promise<PlanPrice | undefined>;
export interface PlanPrice {
  id: string;
  name: string;
  billingPeriod: Plan["billing_period"];
  recurringPrice: Plan["recurring_price"];
  customQuotas?: NonNullable<Plan["custom_quotas"]> | undefined;
}

/** Prices a purchase. Refuses a plan without a price in this currency, and units that the plan does not sell. */
export async function priceItems(findPrice: FindPrice, purchase: Purchase, currency: string): Promise<Items> {
  const plan = await findPrice(purchase.planId);
  const planAmount = plan?.recurringPrice[currency];
  if (!plan || planAmount === undefined) throw new ProviderRefusal(`${purchase.planId} has no price in ${currency}.`);
  const { monthlyExecutions, activeWorkflows } = plan.customQuotas ?? {};
  const units = [purchase.extraExecutionUnits, purchase.extraWorkflowUnits];
  if (units.some((count) => !Number.isInteger(count) || count < 0)) throw new ProviderRefusal("Units must be whole numbers of 0 or more.");
  if (!plan.customQuotas && sum(units) > 0) throw new ProviderRefusal(`${purchase.planId} has no custom quotas.`);
  return {
    purchase,
    planName: plan.name,
    cycle: plan.billingPeriod,
    currency,
    planAmount,
    executionUnitAmount: monthlyExecutions?.price[currency] ?? 0,
    executionsPerUnit: monthlyExecutions?.per ?? 0,
    workflowUnitAmount: activeWorkflows?.price[currency] ?? 0,
  };
}

interface Component {
  planId?: string;
  label: string;
  quantity: number;
  amount: number;
}

/** The plan and the extra units bought with it. */
function components(items: Items): Component[] {
  const { extraExecutionUnits, extraWorkflowUnits } = items.purchase;
  const each = say("executionUnits", { count: items.executionsPerUnit });
  return [
    { planId: items.purchase.planId, label: planLabel(items), quantity: 1, amount: items.planAmount },
    { label: each, quantity: extraExecutionUnits, amount: extraExecutionUnits * items.executionUnitAmount },
    { label: say("workflowUnits"), quantity: extraWorkflowUnits, amount: extraWorkflowUnits * items.workflowUnitAmount },
  ].filter(({ quantity }) => quantity > 0);
}

function planLabel({ planName: plan, cycle }: Items): string {
  if (cycle.count === 1 && cycle.unit !== "day") return say(cycle.unit === "month" ? "planMonthly" : "planYearly", { plan });
  return `${plan}, ${periodWord(cycle)}`;
}

export function periodWord({ unit, count }: Cycle): string {
  if (count === 1 && unit !== "day") return unit === "month" ? "monthly" : "yearly";
  return `each ${count} ${unit === "yr" ? "years" : `${unit}s`}`;
}

/** The time that lines cover; absent in previews, which are not kept. */
interface Term {
  from: Date;
  to: Date;
}

const termOf = (term: Term | undefined): Pick<ProviderLine, "period"> =>
  term ? { period: { from: term.from.toISOString(), to: term.to.toISOString() } } : {};

/** The lines of a whole period. */
export function fullLines(items: Items, term?: Term): ProviderLine[] {
  return components(items).map(({ amount, ...what }) => ({
    ...what,
    amount: { amount, currency: items.currency },
    isProration: false,
    ...termOf(term),
  }));
}

/** The lines for the rest of a period; `sign` −1 makes them a credit. */
export function proratedLines(items: Items, { left, whole }: Share, sign: 1 | -1, term?: Term): ProviderLine[] {
  return components(items).map(({ label, amount, ...what }) => ({
    ...what,
    label: say(sign === 1 ? "remainingTime" : "unusedTime", { line: label }),
    amount: { amount: proportion(sign * amount, left, whole), currency: items.currency },
    isProration: true,
    ...termOf(term),
  }));
}

/** The lines of time that was used before a pause and never paid, out of its whole period. */
export function unpaidLines(items: Items, { from, to }: UnpaidTime, period: Term): ProviderLine[] {
  const [used, whole] = [to.getTime() - from.getTime(), period.to.getTime() - period.from.getTime()];
  if (used <= 0 || whole <= 0) return [];
  return components(items).map(({ label, amount, ...what }) => ({
    ...what,
    label: say("unpaidTime", { line: label }),
    amount: { amount: proportion(amount, Math.min(used, whole), whole), currency: items.currency },
    isProration: true,
    ...termOf({ from, to }),
  }));
}

export const subtotalOf = (lines: readonly ProviderLine[]): number => sum(lines.map(({ amount }) => amount.amount));

/** Whether both bill the same items at the same prices. */
export const isSameBill = (one: Items, other: Items): boolean =>
  one.cycle.unit === other.cycle.unit &&
  one.cycle.count === other.cycle.count &&
  JSON.stringify(components(one)) === JSON.stringify(components(other)) &&
  one.purchase.planId === other.purchase.planId;
