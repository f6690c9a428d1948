/** Checks what a customer wants to buy against the catalogue. */
import type { Choice, Quotas } from "#domain/plans/plan-facts.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { AppError } from "#platform/app-error.ts";
import { quotasOf, purchaseOf, type PlanFacts, type Plans } from "#domain/plans/plan-facts.ts";

export interface Chosen {
  plan: PlanFacts;
  /** The granted quotas, from the billed units. */
  quotas: Quotas | null;
}

/**
 * The plan with its quotas. Refuses (AppError) plan_not_found for a plan not sold in `currency`; plan_withdrawn unless it
 * is `kept`, the customer's current plan, or for quotas that its spec does not allow; and validation_failed for quotas out of
 * the plan's bounds, all together.
 */
export function readChoice(plans: Plans, { planId, quotas }: Choice, currency: string | null, kept: string | null = null): Chosen {
  const plan = plans.get(planId);
  // A trial cannot be bought.
  if (!plan || plan.spec.metadata.group === "trial") throw new AppError("plan_not_found");
  if (plan.withdrawn && planId !== kept) throw new AppError("plan_withdrawn");
  if (currency !== null && plan.recurringPrice[currency] === undefined)
    throw new AppError("plan_not_found", { detail: `This plan is not sold in ${currency}.` });
  if (!plan.customQuotas) return { plan, quotas: null };
  // Existing customers keep such a plan with their quotas; new quotas cannot be chosen.
  if (!plan.spec.allowCustomQuotas && (quotas !== null || planId !== kept))
    throw new AppError("plan_withdrawn", { detail: `The quotas of ${plan.name} cannot be chosen.` });
  const wanted = quotas ?? {
    monthlyExecutions: plan.customQuotas.monthlyExecutions.included,
    activeWorkflows: plan.customQuotas.activeWorkflows.included,
  };
  const errors = [
    ...check("quotas.monthlyExecutions", wanted.monthlyExecutions, plan.customQuotas.monthlyExecutions),
    ...check("quotas.activeWorkflows", wanted.activeWorkflows, plan.customQuotas.activeWorkflows),
  ];
  if (errors.length > 0) throw new AppError("validation_failed", { errors });
  return { plan, quotas: quotasOf(plan, purchaseOf(plan, wanted)) };
}

function check(path: string, value: number, { min, max, step }: { min: number; max: number; step: number }) {
  const refuse = (code: FieldCode) => [{ path, code, message: fieldMessage(code) }];
  if (!Number.isSafeInteger(value)) return refuse("quota.numeric");
  if (value < min) return refuse("quota.too_small");
  if (value > max) return refuse("quota.too_large");
  return (value - min) % step === 0 ? [] : refuse("quota.step");
}
