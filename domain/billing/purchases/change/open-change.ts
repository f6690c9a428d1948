/** The starting point of a change: a subscription that can be changed, what it grants, and what is wanted instead. */
import type { Choice } from "#domain/plans/plan-facts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Billing } from "../../billing.ts";
import { directionOf, grantedPlan, type Plans } from "#domain/plans/plan-facts.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import type { Timing } from "./change-terms.ts";
import { readChoice, type Chosen } from "../read-choice.ts";
import { isSold, keptQuotas, stateOf, type SubscriptionRow } from "../../subscription/subscription-states.ts";
import { findSubscription } from "../../subscription/subscription-store.ts";

export interface OpenChange {
  held: SubscriptionRow;
  plans: Plans;
  from: Chosen;
  to: Chosen;
  direction: "upgrade" | "downgrade" | "same";
  /** The customer's choice. */
  wanted: Timing | undefined;
}

/** Refuses (AppError) accounts that do not pay yet, owe money or have cancelled, and what readChoice refuses. */
export async function openChange(
  billing: Billing,
  accountId: string,
  wanted: Choice & { timing?: Timing | undefined },
): Promise<OpenChange> {
  const held = await findSubscription(billing.db, accountId);
  const state = stateOf(held);
  if (!held || !isSold(state)) throw new AppError("subscription_not_found");
  if (held.provider === null)
    throw new AppError("subscription_not_found", { detail: "We set up your plan for you. Please contact support to change it." });
  if (state === "past-due") throw new AppError("update_billing_first");
  if (state === "paused")
    throw new AppError("update_billing_first", { detail: "Your subscription is paused. Resubscribe first, then change your plan." });
  if (state === "cancelling")
    throw new AppError("update_billing_first", { detail: "Your subscription is cancelled. Resubscribe first, then change your plan." });
  if (held.provider !== billing.provider.name)
    throw new AppError("payments_unavailable", { internal: `the subscription is at ${held.provider}` });
  const plans = await readPlans(billing.db);
  const to = readChoice(plans, wanted, held.currency, held.planId);
  const from = grantedNow(held, plans);
  const direction = directionOf(from, to);
  return { held, plans, from, to, direction, wanted: wanted.timing };
}

/** What is granted: the billed plan, or the previous one while the provider knows of a change that has not begun. */
function grantedNow(held: SubscriptionRow, plans: Plans): Chosen {
  return { plan: grantedPlan(held, plans) ?? plans.get(held.planId)!, quotas: keptQuotas(held) };
}
