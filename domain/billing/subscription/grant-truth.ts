/** What is granted for what the provider bills: more immediately, less only after the paid period is over. */
import type { Quotas } from "#domain/plans/plan-facts.ts";
import { anchorOfLess } from "#domain/plans/usage-period.ts";
import { addMonths } from "#platform/calendar.ts";
import { hourMs } from "#platform/clock.ts";
import type { ProviderSubscription } from "#payments/payment-provider.ts";
import { directionOf, grantedPlan, quotasOf, sameQuotas, type PlanFacts } from "#domain/plans/plan-facts.ts";
import type { Effect, TruthInput } from "./subscription-machine.ts";
import { keptQuotas, nothingPending, nothingScheduled, type SubscriptionFields } from "./subscription-states.ts";

interface Granted {
  row: SubscriptionFields;
  corrections: Effect[];
}

interface Billed {
  plan: PlanFacts;
  quotas: Quotas | null;
}

/** The row with the provider's state except for its end dates; null if the billed plan is unknown and we have no row. */
export function grantTruth({ accountId, held, provider, truth, plans, now }: TruthInput, isHeld: boolean): Granted | null {
  const plan = truth.purchase ? plans.get(truth.purchase.planId) : undefined;
  const copied = copyTruth(accountId, provider, truth, isHeld ? held : null);
  if (!plan) {
    if (!held) return null;
    const detail = `${truth.id} bills something that is not in the catalogue`;
    const { planId, specId, customExecutions, customWorkflows } = held;
    return {
      row: { ...copied, planId, specId, customExecutions, customWorkflows },
      corrections: [{ kind: "correction", correction: "unknown-plan", detail }],
    };
  }
  const billed = { plan, quotas: quotasOf(plan, truth.purchase!) };
  if (!isHeld || !held) return { row: { ...copied, ...grant(billed), ...nothingScheduled, ...nothingPending }, corrections: [] };
  const isNextPeriod = isLater(truth.periodStartsAt, held.periodStartsAt);
  const granted = followBilling({ held: { ...held, ...copied }, truth, billed, plans, isNextPeriod });
  // A plan that the customer chose to have immediately is counted in the running usage period (decision 0089).
  const isChosen = isBilled(billed, held.pendingPlanId, held.pendingExecutions, held.pendingWorkflows) && !isNextPeriod;
  return isChosen ? granted : { ...granted, row: startAnew(held, granted.row, plans, now) };
}

/** A smaller plan is counted from its own start; otherwise, its limit might already be used up in the rest of the previous usage period. */
function startAnew(before: SubscriptionFields, row: SubscriptionFields, plans: Plans, now: Date): SubscriptionFields {
  const [had, has] = [currentGrant(before, plans), currentGrant(row, plans)];
  return had && has && directionOf(had, has) === "downgrade"
    ? { ...row, startedAt: anchorOfLess(row.startedAt, row.periodStartsAt, now) }
    : row;
}

/** The previous paid period is over, either by time or by a change to another length. */
const isLater = (startsAt: Date, before: Date): boolean => startsAt.getTime() - before.getTime() > sameMomentMs;

interface Followed {
  held: SubscriptionFields;
  truth: ProviderSubscription;
  billed: Billed;
  plans: Plans;
  isNextPeriod: boolean;
}

function followBilling({ held, truth, billed, plans, isNextPeriod }: Followed): Granted {
  const isOver = truth.status === "deleted" || truth.status === "paused";
  const base = isOver ? { ...held, ...nothingScheduled, ...nothingPending } : held;
  if (isBilled(billed, held.pendingPlanId, held.pendingExecutions, held.pendingWorkflows))
    return { row: { ...base, ...grant(billed), ...nothingScheduled, ...nothingPending }, corrections: [] };
  if (isBilled(billed, held.scheduledPlanId, held.scheduledExecutions, held.scheduledWorkflows)) {
    // The renewal itself shows that the old period is over.
    const isRenewed = truth.periodStartsAt >= held.scheduledAt!;
    if (isRenewed || isOver) return { row: { ...base, ...grant(billed), ...nothingScheduled }, corrections: [] };
    return {
      row: {
        ...base,
        planId: billed.plan.planId,
        scheduledFromPlanId: held.scheduledFromPlanId ?? held.planId,
        scheduledToldAt: held.scheduledToldAt ?? truth.changedAt,
      },
      corrections: [],
    };
  }
  const granted = held.scheduledToldAt ? null : currentGrant(held, plans);
  const isSame =
    granted !== null &&
    granted.plan.planId === billed.plan.planId &&
    granted.plan.specId === held.specId &&
    sameQuotas(granted.quotas, billed.quotas);
  if (isSame) return { row: base, corrections: [] };
  return heal(base, truth, billed, plans, isOver || isNextPeriod);
}

type Plans = TruthInput["plans"];

/** The plan was changed at the provider without us. More is granted immediately, less when the period is over. */
function heal(held: SubscriptionFields, truth: ProviderSubscription, billed: Billed, plans: Plans, isOver: boolean): Granted {
  const now = currentGrant(held, plans);
  const detail = `${truth.id} bills ${billed.plan.planId}, granted was ${held.specId} of ${held.planId}`;
  const corrections: Effect[] = [{ kind: "correction", correction: "plan-mismatch", detail }];
  const isLess = now !== null && directionOf(now, billed) === "downgrade";
  if (!isLess || isOver) return { row: { ...held, ...grant(billed), ...nothingScheduled }, corrections };
  return {
    row: {
      ...held,
      planId: billed.plan.planId,
      scheduledPlanId: billed.plan.planId,
      scheduledFromPlanId: held.scheduledFromPlanId ?? held.planId,
      scheduledExecutions: billed.quotas?.monthlyExecutions ?? null,
      scheduledWorkflows: billed.quotas?.activeWorkflows ?? null,
      scheduledAt: truth.periodEndsAt,
      scheduledToldAt: truth.changedAt,
    },
    corrections,
  };
}

/** What the row grants now, as a plan with quotas: the billed one if it includes the granted spec, otherwise any that does. */
function currentGrant(held: SubscriptionFields, plans: Plans): Billed | null {
  const plan = grantedPlan(held, plans);
  return plan ? { plan, quotas: keptQuotas(held) } : null;
}

const isBilled = ({ plan, quotas }: Billed, planId: string | null, executions: number | null, workflows: number | null): boolean =>
  plan.planId === planId && (quotas?.monthlyExecutions ?? null) === executions && (quotas?.activeWorkflows ?? null) === workflows;

function grant({ plan, quotas }: Billed) {
  return {
    planId: plan.planId,
    specId: plan.specId,
    customExecutions: quotas?.monthlyExecutions ?? null,
    customWorkflows: quotas?.activeWorkflows ?? null,
  };
}

function copyTruth(
  accountId: string,
  provider: TruthInput["provider"],
  truth: ProviderSubscription,
  held: SubscriptionFields | null,
): SubscriptionFields {
  const status = truth.status === "pending" || truth.status === "unknown" ? "active" : truth.status;
  return {
    ...(held ?? blank),
    accountId,
    status,
    provider,
    providerCustomerId: truth.customerId,
    providerSubscriptionId: truth.id,
    currency: truth.currency,
    startedAt: usageAnchor(held, truth),
    periodStartsAt: truth.periodStartsAt,
    periodEndsAt: truth.periodEndsAt,
    cancelAt: truth.cancelAt,
    pastDueAt: truth.status === "past_due" ? (truth.pastDueAt ?? held?.pastDueAt ?? truth.changedAt) : null,
    unpaidFrom: unpaidFrom(held, truth),
    taxInclusive: truth.taxInclusive,
    creditAmount: truth.credit.amount,
    retries: truth.retries.map(({ at, outcome }) => ({ at: at.toISOString(), outcome })),
    providerChangedAt: truth.changedAt,
  };
}

/** Kept through a pause, so that resuming includes the time that was used. Providers that begin further periods meanwhile owe from the first. */
function unpaidFrom(held: SubscriptionFields | null, truth: ProviderSubscription): Date | null {
  if (truth.status === "paused") return truth.pausedOnRequest ? null : (held?.unpaidFrom ?? null);
  const from = truth.unpaidFrom ?? (truth.status === "past_due" ? truth.periodStartsAt : null);
  return from && (held?.unpaidFrom ?? from);
}

/** Providers round the start and end of periods, each differently. */
const sameMomentMs = hourMs;

/**
 * Usage months are counted from here. The anchor stays while paid periods begin on its day, also over short months, and moves with
 * them when they begin on another day: after a pause, or with a different period length.
 */
function usageAnchor(held: SubscriptionFields | null, truth: ProviderSubscription): Date {
  const { periodStartsAt } = truth;
  if (!held) return periodStartsAt;
  const { startedAt } = held;
  // Moves only with the period: a plan granted late in the running period is counted from then.
  if (Math.abs(periodStartsAt.getTime() - held.periodStartsAt.getTime()) <= sameMomentMs) return startedAt;
  const months =
    (periodStartsAt.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 + periodStartsAt.getUTCMonth() - startedAt.getUTCMonth();
  // The rounding may cross the end of a month.
  const isKept = [months - 1, months, months + 1].some(
    (count) => count >= 0 && Math.abs(addMonths(startedAt, count).getTime() - periodStartsAt.getTime()) <= sameMomentMs,
  );
  return isKept ? startedAt : periodStartsAt;
}

const blank = {
  planId: "",
  specId: "",
  customExecutions: null,
  customWorkflows: null,
  unpaidFrom: null,
  pausedAt: null,
  endedAt: null,
  deletionAt: null,
  warnedAt: null,
  deletedAt: null,
  deletedLife: null,
  ...nothingScheduled,
  ...nothingPending,
};
