/** What operators do to a subscription by hand: plans that are arranged with a customer, and longer trials. */
import { after, dayMs } from "#platform/clock.ts";
import type { Billing } from "./billing.ts";
import { readPlans } from "./plan-facts-store.ts";
import { follow, type Effect } from "./subscription-machine.ts";
import { isRunning, isSold, nothingPending, nothingScheduled, stateOf, type SubscriptionFields } from "./subscription-states.ts";
import { lockSubscription, saveSubscription } from "./subscription-store.ts";

type Parts = Pick<Billing, "db" | "clock" | "log" | "renderMail">;

/** Why it was not done, in words for the operator; null when it was. */
export type Refusal = string | null;

/**
 * Gives the account a plan that is billed outside, such as Enterprise by invoice: active until another one is given. Refuses
 * whoever pays a provider: that subscription would go on charging.
 */
export async function assignPlan(billing: Parts, accountId: string, planId: string, operator: string): Promise<Refusal> {
  return billing.db.transaction(async (tx) => {
    const held = await lockSubscription(tx, accountId);
    const plans = await readPlans(tx);
    const plan = plans.get(planId);
    if (!plan || plan.billingType === "one-time") return `There is no plan ${planId} that can be given.`;
    const from = stateOf(held);
    if (isSold(from) && held?.provider) return `This account pays for ${held.planId} by ${held.provider}. That has to be cancelled and over first.`;
    if (!isSold(from)) follow(from, "plan assigned");
    const now = billing.clock.now();
    const row: SubscriptionFields = {
      ...(held ?? { accountId, taxInclusive: false, creditAmount: 0, currency: null, providerChangedAt: null }),
      ...nothingScheduled,
      ...nothingPending,
      planId,
      specId: plan.specId,
      customExecutions: null,
      customWorkflows: null,
      status: "active",
      provider: null,
      providerCustomerId: null,
      providerSubscriptionId: null,
      startedAt: isSold(from) ? held!.startedAt : now,
      periodStartsAt: now,
      periodEndsAt: null,
      cancelAt: null,
      pastDueAt: null,
      pausedAt: null,
      endedAt: null,
      deletionAt: null,
      warnedAt: null,
      deletedAt: null,
      retries: [],
    };
    const effects: Effect[] = [{ kind: "audit", action: "subscription.plan-assigned" }, { kind: "mail", name: isSold(from) ? "plan-changed" : "subscription-started", at: now }];
    if (!isRunning(from)) effects.push({ kind: "workspace", wanted: "running", because: "paid" });
    await saveSubscription(tx, { billing, accountId, held, next: { row, effects }, plans, actor: { userId: null, operator } });
    return null;
  });
}

/** Makes a trial longer, or gives one that is over that many days more. Refuses whoever is past their trial in another way. */
export async function extendTrial(billing: Parts, accountId: string, days: number, operator: string): Promise<Refusal> {
  return billing.db.transaction(async (tx) => {
    const held = await lockSubscription(tx, accountId);
    const from = stateOf(held);
    if (!held || held.provider !== null || held.status === "active" || !(from === "trial" || from === "ended")) return "This account is not on its trial.";
    follow(from, "trial extended");
    const now = billing.clock.now();
    const start = from === "trial" ? held.periodEndsAt! : now;
    const row: SubscriptionFields = { ...held, status: "trialing", periodEndsAt: after(start, days * dayMs), cancelAt: null, endedAt: null, deletionAt: null, warnedAt: null };
    const effects: Effect[] = [{ kind: "audit", action: "trial.extended" }];
    if (from === "ended") effects.push({ kind: "workspace", wanted: "running", because: "paid" });
    await saveSubscription(tx, { billing, accountId, held, next: { row, effects }, plans: await readPlans(tx), actor: { userId: null, operator } });
    return null;
  });
}
