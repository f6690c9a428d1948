/** What operators do to a subscription by hand: arranged plans and longer trials. */
import { seriesOf } from "#payments/payment-provider.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { endArranged, takeTransition, type Effect } from "./subscription-machine.ts";
import {
  isArranged,
  isRunning,
  isSold,
  nothingPending,
  nothingScheduled,
  stateOf,
  type SubscriptionFields,
} from "./subscription-states.ts";

type Parts = Pick<Billing, "db" | "clock" | "log" | "renderMail" | "lastBackupDays" | "workspaceMemoryMb" | "delivery" | "provider">;

/** Why it was not done, in words for the operator; null if it was. */
type Refusal = string | null;

const refuse = (refusal: string) => ({ next: null, refusal });
const byHand = (operator: string) => ({ actor: { userId: null, operator } });

/**
 * Gives the account a plan that is billed outside, such as Enterprise by invoice, until `until`; null: until it is replaced. The
 * same plan with a different end is a renewal, even after it has ended. Refuses an account that pays a provider, since that
 * subscription would keep charging, and an end in the past. With live keys, a plan that was bought with test keys charges nobody.
 */
export async function assignPlan(
  billing: Parts,
  accountId: string,
  planId: string,
  until: Date | null,
  operator: string,
): Promise<Refusal> {
  const { refusal } = await changeSubscription(billing, accountId, byHand(operator), ({ held, plans, now }) => {
    const plan = plans.get(planId);
    if (!plan || plan.billingType === "one-time") return refuse(`There is no plan ${planId} that can be assigned.`);
    if (until && until <= now) return refuse("The end date is in the past.");
    const from = stateOf(held);
    if (isSold(from) && held?.provider && !isTestPurchase(billing, held))
      return refuse(`This account pays for ${held.planId} through ${held.provider}. Cancel that subscription and wait until it has ended.`);
    if (!isSold(from)) takeTransition(from, "plan assigned");
    // Executions used under another plan do not count against this one.
    const isRenewal = isSold(from) && held?.planId === planId && held.specId === plan.specId;
    if (isRenewal && held.provider === null && held.cancelAt?.getTime() === until?.getTime())
      return refuse(`This account already has ${planId}, ${until ? `until ${until.toISOString()}` : "with no end date"}.`);
    const row: SubscriptionFields = {
      // Keeps the provider's customer: earlier payments there may still be refunded.
      ...(held ?? { accountId, providerCustomerId: null, taxInclusive: false, creditAmount: 0, currency: null, providerChangedAt: null }),
      ...nothingScheduled,
      ...nothingPending,
      planId,
      specId: plan.specId,
      customExecutions: null,
      customWorkflows: null,
      status: "active",
      provider: null,
      providerSubscriptionId: null,
      startedAt: isRenewal ? held.startedAt : now,
      periodStartsAt: isRenewal ? held.periodStartsAt : now,
      periodEndsAt: until,
      cancelAt: until,
      pastDueAt: null,
      unpaidFrom: null,
      pausedAt: null,
      endedAt: null,
      deletionAt: null,
      warnedAt: null,
      deletedAt: null,
      deletedLife: null,
      retries: [],
    };
    const effects: Effect[] = [
      { kind: "audit", action: "subscription.plan-assigned" },
      { kind: "mail", name: "plan-arranged", at: now },
    ];
    if (!isRunning(from)) effects.push({ kind: "workspace", desired: "running", because: "paid" });
    return { next: { row, effects }, refusal: null };
  });
  return refusal;
}

/** Bought with test keys, or in the sandbox, while live keys are used. */
export const isTestPurchase = (
  { provider }: Pick<Billing, "provider">,
  { provider: bought }: Pick<SubscriptionFields, "provider">,
): boolean => seriesOf(provider.name) === "live" && bought !== null && seriesOf(bought) !== "live";

/** Ends an arranged plan now, as its end would have. Refuses an account without one. */
export async function endPlan(billing: Parts, accountId: string, operator: string): Promise<Refusal> {
  const { refusal } = await changeSubscription(billing, accountId, byHand(operator), ({ held, now }) =>
    held && isArranged(held)
      ? { next: endArranged(held, now), refusal: null }
      : refuse("This account has no plan assigned by an operator."),
  );
  return refusal;
}

/** Extends a trial, or restarts an ended one for that many days. Refuses accounts past their trial in any other way. */
export async function extendTrial(billing: Parts, accountId: string, days: number, operator: string): Promise<Refusal> {
  const { refusal } = await changeSubscription(billing, accountId, byHand(operator), ({ held, plans, now }) => {
    const from = stateOf(held);
    // An ended arranged plan has no provider either.
    const isTrial = held?.provider === null && plans.get(held.planId)?.spec.metadata.group === "trial";
    if (!isTrial || !(from === "trial" || from === "ended")) return refuse("This account is not on its trial.");
    takeTransition(from, "trial extended");
    const start = from === "trial" ? held.periodEndsAt! : now;
    const row: SubscriptionFields = {
      ...held,
      status: "trialing",
      periodEndsAt: after(start, days * dayMs),
      cancelAt: null,
      endedAt: null,
      deletionAt: null,
      warnedAt: null,
    };
    const effects: Effect[] = [{ kind: "audit", action: "trial.extended" }];
    if (from === "ended") effects.push({ kind: "workspace", desired: "running", because: "paid" });
    return { next: { row, effects }, refusal: null };
  });
  return refusal;
}
