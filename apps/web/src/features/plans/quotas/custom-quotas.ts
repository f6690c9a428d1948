/** Custom quotas: what a customer may enter, and what it costs. */
import type { Plan } from "#contract/billing/plans/plan.ts";
import type { Money } from "#contract/billing/money/money.ts";

export type CustomQuotas = NonNullable<Plan["custom_quotas"]>;
export type QuotaBounds = CustomQuotas["monthlyExecutions"];
export type QuotaName = keyof CustomQuotas;
export type Quotas = Record<QuotaName, number>;
export const quotaNames = ["monthlyExecutions", "activeWorkflows"] as const satisfies readonly QuotaName[];

export type QuotaProblem = "required" | "number" | "tooFew" | "tooMany";

/** A number as people write it: `60,000`, `60 000`, in German `60.000`; null if it is none. */
export function readNumber(text: string): number | null {
  const isInDots = /^-?\d{1,3}(?:\.\d{3})+$/.test(text.trim());
  const plain = text.replace(isInDots ? /[\s.]/g : /[\s,_]/g, "");
  return /^-?\d{1,12}$/.test(plain) ? Number(plain) : null;
}

/** The problem with what was entered; null: none. */
export function quotaProblem(text: string, { min, max }: QuotaBounds): QuotaProblem | null {
  if (text.trim() === "") return "required";
  const value = readNumber(text);
  if (value === null) return "number";
  if (value < min) return "tooFew";
  return value > max ? "tooMany" : null;
}

/** Rounds up to the next step from the minimum, because quotas are sold in steps; never above the maximum. */
export const toStep = (value: number, { min, max, step }: QuotaBounds): number =>
  Math.min(max, min + Math.ceil((value - min) / step) * step);

/** Units above what is included; a partial unit counts as a whole one. */
export const extraUnits = (value: number, { included, per }: QuotaBounds): number => Math.max(0, Math.ceil((value - included) / per));

/** The recurring price of a plan with these quotas, without tax; null if it can't be paid in this currency. */
export function customPrice(plan: Plan, quotas: Quotas, currency: string): Money | null {
  const base = plan.recurring_price[currency];
  if (base === undefined || !plan.custom_quotas) return null;
  let amount = base;
  for (const name of quotaNames) {
    const bounds = plan.custom_quotas[name];
    const price = bounds.price[currency];
    if (price === undefined) return null;
    amount += extraUnits(quotas[name], bounds) * price;
  }
  return { amount, currency };
}
