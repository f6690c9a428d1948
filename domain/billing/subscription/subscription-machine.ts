/**
 * Decides what happens to a subscription when the provider reports something or a timer is due. Pure: takes a row and what happened, and
 * returns a row and its effects; subscription-store.ts writes both in one transaction.
 */
import type { AuditAction } from "#domain/audit/audit-actions.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { anchorOfLess } from "#domain/plans/usage-period.ts";
import { after, hourMs, minuteMs } from "#platform/clock.ts";
import type { BillingMailName } from "#domain/mail/templates/billing/billing-mail.ts";
import type { PaymentProviderName, ProviderSubscription } from "#payments/payment-provider.ts";
import { type PlanFacts, type Plans } from "#domain/plans/plan-facts.ts";
import { grantTruth } from "./grant-truth.ts";
import {
  isArranged,
  isPauseRequested,
  isRunning,
  isSold,
  nothingPending,
  nothingScheduled,
  stateOf,
  transitions,
  truthHappening,
  type Happening,
  type SubscriptionFields,
  type SubscriptionState,
} from "./subscription-states.ts";
import { deletionAfterEndMs, deletionAfterPauseMs, type TimerKind } from "./subscription-timers.ts";

export type Effect =
  | { kind: "mail"; name: BillingMailName; at: Date; refunded?: Money }
  /** The desired state of the account's workspace. */
  | {
      kind: "workspace";
      desired: "running" | "stopped" | "deleted";
      because: "trial-ended" | "paused" | "pause-requested" | "cancelled" | "ended" | "arranged-ended" | "expired" | "paid";
    }
  | { kind: "audit"; action: AuditAction }
  /** We and the provider disagreed: logged, counted, repaired. */
  | { kind: "correction"; correction: string; detail: string };

export interface Next {
  row: SubscriptionFields;
  effects: Effect[];
}

export type TruthOutcome =
  | ({ kind: "applied" } & Next)
  /** Nothing to write; a correction is reported to operators. */
  | { kind: "ignored"; correction: { kind: string; detail: string } | null }
  /** A second subscription that we sold to an account that has one: it must not be charged. */
  | { kind: "duplicate" }
  /** A subscription that we did not sell and do not grant, such as one that staff made at the provider: it is left alone. */
  | { kind: "not-ours" };

export interface TruthInput {
  accountId: string;
  held: SubscriptionFields | null;
  provider: PaymentProviderName;
  truth: ProviderSubscription;
  /** Whether it was bought at a page of ours. */
  soldHere: boolean;
  plans: Plans;
  now: Date;
}

/** Takes a transition of the table: the next state, or null where the state stays. Throws for a transition the table does not have. */
export function takeTransition(from: SubscriptionState, happening: Happening): SubscriptionState | null {
  const to = transitions[from][happening];
  if (to === undefined) throw new Error(`A subscription that is ${from} does not expect "${happening}".`);
  return to;
}

/** Takes over the provider's state, unless it is older than ours, or about another subscription that is over. */
export function applyTruth(input: TruthInput): TruthOutcome {
  const { accountId, held, provider, truth, now } = input;
  if (truth.accountId !== null && truth.accountId !== accountId)
    return ignore("foreign-subscription", `${truth.id} belongs to another account`);
  const from = stateOf(held);
  const happening = truthHappening(truth, now);
  if (happening === "truth unknown")
    return truth.status === "pending" ? ignore() : ignore("unknown-status", `${truth.id} is "${truth.providerStatus}"`);
  const isHeld = held !== null && held.provider === provider && held.providerSubscriptionId === truth.id;
  if (isHeld && isOlder(input)) return ignore();
  if (!isHeld) {
    if (happening === "truth paused" || happening === "truth ended" || (from === "paused" && happening === "truth past-due"))
      return ignore();
    const beside = besideOurs(input, from, happening);
    if (beside) return { kind: beside };
  }
  return takeTruth(input, isHeld, from, happening);
}

/**
 * What a running subscription is that the account does not hold; null: what it has from now on. Money is returned only for what we
 * sold. Of what others sold, a plan of the catalogue is granted where none is paid for.
 */
function besideOurs(
  { held, truth, soldHere, plans }: TruthInput,
  from: SubscriptionState,
  happening: Happening,
): "duplicate" | "not-ours" | null {
  const isOurPlan = truth.purchase !== null && plans.has(truth.purchase.planId);
  if (!soldHere && !isOurPlan) return "not-ours";
  // A paused subscription charges nothing: after a new purchase the account has the new one.
  if (!isSold(from) || from === "paused") return null;
  // A sale ends an arrangement, but only a paid one of a plan.
  if (held && isArranged(held)) return isOurPlan && happening !== "truth past-due" ? null : "not-ours";
  return soldHere ? "duplicate" : "not-ours";
}

/** More than the clocks of this host and of a provider differ by. */
const clocksDifferMs = 5 * minuteMs;

/**
 * Some providers do not say when they last changed it: then it is when we read it, by our clock. If that was ahead and has been set back
 * since, what it said orders nothing.
 */
function isOlder({ held, truth, now }: TruthInput): boolean {
  const ours = held?.providerChangedAt;
  if (!ours || truth.changedAt >= ours) return false;
  const wasReadNow = Math.abs(truth.changedAt.getTime() - now.getTime()) <= clocksDifferMs;
  return ours <= after(now, clocksDifferMs) || !wasReadNow;
}

function takeTruth(input: TruthInput, isHeld: boolean, from: SubscriptionState, happening: Happening): TruthOutcome {
  const { held, truth, now } = input;
  // Ended because its workspace was deleted: only its end matters.
  if (isHeld && from === "gone" && (happening === "truth ended" || happening === "truth paused")) {
    return {
      kind: "applied",
      row: { ...held!, endedAt: happening === "truth ended" ? (truth.endedAt ?? now) : null, providerChangedAt: truth.changedAt },
      effects: [],
    };
  }
  // Already ended, and reported ended again.
  const to =
    isHeld && from === "ended" && happening === "truth ended"
      ? "ended"
      : isHeld && from === "ended" && happening === "truth paused"
        ? "ended"
        : takeTransition(from, happening);
  if (to === null) return ignore();
  const granted = grantTruth(input, isHeld);
  if (!granted) return ignore("unknown-plan", `${truth.id} bills something that is not in the catalogue`);
  const row = { ...granted.row, ...moments(held, isHeld, from, to, truth, now) };
  return { kind: "applied", row, effects: [...granted.corrections, ...moveEffects(held, row, isHeld, now)] };
}

/** Providers round the end of a period, each differently. */
const sameMomentMs = hourMs;

/** A cancelled plan that ran to its end: its workspace is deleted then, as announced, and not after more days and another warning. */
export const isCancelledEnd = ({ endedAt, deletionAt }: Pick<SubscriptionFields, "endedAt" | "deletionAt">): boolean =>
  endedAt !== null && deletionAt?.getTime() === endedAt.getTime();

/** When it was paused, ended and is to be deleted. */
function moments(
  held: SubscriptionFields | null,
  isHeld: boolean,
  from: SubscriptionState,
  to: SubscriptionState,
  truth: ProviderSubscription,
  now: Date,
) {
  if (isRunning(to)) return { pausedAt: null, endedAt: null, deletionAt: null, warnedAt: null, deletedAt: null, deletedLife: null };
  const kept = isHeld ? held : null;
  if (to === "paused") {
    const pausedAt = (from === "paused" ? kept?.pausedAt : null) ?? truth.pausedAt ?? now;
    const before = from === "paused" ? kept : null;
    const base = { status: "paused" as const, pausedAt, endedAt: null, deletedAt: null };
    if (truth.pausedOnRequest) return { ...base, deletionAt: null, warnedAt: null };
    // A pause on request that has become a debt counts from now.
    const since = before && isPauseRequested(before) ? now : pausedAt;
    return { ...base, deletionAt: before?.deletionAt ?? after(since, deletionAfterPauseMs), warnedAt: before?.warnedAt ?? null };
  }
  if (from === "ended" && kept)
    return {
      endedAt: kept.endedAt,
      deletionAt: kept.deletionAt,
      warnedAt: kept.warnedAt,
      deletedAt: null,
      pausedAt: kept.pausedAt,
      status: "deleted" as const,
    };
  const endedAt = truth.endedAt ?? now;
  // Only then the owner was told this day: by email, and before it in the panel.
  if (from === "cancelling" && kept && endedAt >= after(kept.cancelAt!, -sameMomentMs))
    return { pausedAt: null, endedAt, deletionAt: endedAt, warnedAt: now, deletedAt: null, cancelAt: null };
  const week = after(endedAt, deletionAfterEndMs);
  // Keeps the longer time of a customer who had 30 days.
  const deletionAt = kept?.deletionAt && kept.deletionAt > week ? kept.deletionAt : week;
  return {
    pausedAt: null,
    endedAt,
    deletionAt,
    warnedAt: deletionAt === kept?.deletionAt ? kept.warnedAt : null,
    deletedAt: null,
    cancelAt: null,
  };
}

/** The effects of moving from one state to another. */
function moveEffects(held: SubscriptionFields | null, row: SubscriptionFields, isHeld: boolean, now: Date): Effect[] {
  const [from, to] = [stateOf(held), stateOf(row)];
  const effects: Effect[] = [];
  const mail = (name: BillingMailName) => effects.push({ kind: "mail", name, at: now });
  if (from !== to || !isHeld) effects.push({ kind: "audit", action: `subscription.${to}` });
  const isNew = !isHeld || !isSold(from);
  if (isRunning(to)) {
    if (!isRunning(from)) effects.push({ kind: "workspace", desired: "running", because: "paid" });
    if (isNew) mail("subscription-started");
    else if (to === "past-due") {
      if (from !== "past-due" || failures(row) > failures(held!)) mail("payment-failed");
    } else if (held && isPauseRequested(held)) mail("pause-ended");
    else if (from === "past-due" || from === "paused") mail("payment-recovered");
    if (to === "cancelling" && (from !== "cancelling" || isNew)) mail("cancel-confirmed");
    if (from === "cancelling" && to === "active" && !isNew) mail("cancel-undone");
    if (!isNew && isOtherPlan(held!, row)) mail("plan-changed");
  } else if (from !== to) {
    const ended = isCancelledEnd(row) ? "cancelled" : "ended";
    const because = to !== "paused" ? ended : isPauseRequested(row) ? "pause-requested" : "paused";
    if (isRunning(from)) effects.push({ kind: "workspace", desired: "stopped", because });
    mail(to !== "paused" ? "subscription-ended" : isPauseRequested(row) ? "pause-requested" : "subscription-paused");
  }
  return effects;
}

/** While a change waits for the period's end, what is billed is not yet what is granted. */
const isOtherPlan = (held: SubscriptionFields, row: SubscriptionFields): boolean =>
  (row.planId !== held.planId && !row.scheduledToldAt) ||
  row.specId !== held.specId ||
  row.customExecutions !== held.customExecutions ||
  row.customWorkflows !== held.customWorkflows;

const failures = (row: SubscriptionFields) => row.retries.filter(({ outcome }) => outcome === "failed").length;
const ignore = (kind?: string, detail = ""): TruthOutcome => ({ kind: "ignored", correction: kind ? { kind, detail } : null });

interface TimerInput {
  held: SubscriptionFields;
  kind: TimerKind;
  /** When it became due, which is also the time it takes effect. */
  dueAt: Date;
  /** The clock, which may be far ahead of `dueAt` after an outage. */
  now: Date;
  plans: Plans;
  leastNoticeMs: number;
  /** The account's workspace, unless its owner has deleted it. Only the timers of its deletion read it. */
  workspace?: { life: number } | null;
}

/** What a timer does to the row; null if it has nothing to do. Timers that ask the provider come here after asking. */
export function applyTimer(input: TimerInput): Next | null {
  const { held, kind, dueAt } = input;
  const from = stateOf(held);
  switch (kind) {
    case "ending-in-30-days":
    case "ending-in-3-days":
    case "ending-in-1-day":
      if (from === "trial") return { row: held, effects: [{ kind: "mail", name: "trial-ending", at: dueAt }] };
      return from === "cancelling"
        ? { row: held, effects: [{ kind: "mail", name: isArranged(held) ? "arranged-plan-ending" : "subscription-ending", at: dueAt }] }
        : null;
    case "trial-end":
      return from === "trial" && held.periodEndsAt! <= dueAt ? endTrial(held) : null;
    case "arranged-end":
      return isArranged(held) && held.cancelAt && held.cancelAt <= dueAt ? endArranged(held, held.cancelAt) : null;
    case "period-end":
      return from === "active" && held.scheduledToldAt && held.scheduledAt! <= dueAt
        ? grantScheduled(held, input.plans.get(held.scheduledPlanId!), dueAt, input.now)
        : null;
    case "deletion-warning":
      return held.deletionAt && !held.warnedAt && (from === "paused" || from === "ended")
        ? { row: { ...held, warnedAt: input.now }, effects: warningOf(input) }
        : null;
    case "deletion":
      return (from === "paused" || from === "ended") && held.deletionAt && held.deletionAt <= dueAt ? deleteWorkspace(input, from) : null;
    case "deletion-report":
      return from === "gone" && held.deletedLife !== null
        ? { row: held, effects: [{ kind: "mail", name: "workspace-deleted", at: dueAt }] }
        : null;
    case "truth-check":
    case "scheduled-change":
    case "end-at-provider":
      return null;
  }
}

function endTrial(held: SubscriptionFields): Next {
  takeTransition("trial", "trial-end due");
  const endedAt = held.periodEndsAt!;
  return {
    row: { ...held, status: "deleted", endedAt, cancelAt: null, deletionAt: after(endedAt, deletionAfterEndMs), warnedAt: null },
    effects: [
      { kind: "audit", action: "subscription.ended" },
      { kind: "workspace", desired: "stopped", because: "trial-ended" },
      { kind: "mail", name: "trial-ended", at: endedAt },
    ],
  };
}

/** An arranged plan is over: the workspace stops, and is kept as long as after a failed payment, since an invoice may be on its way. */
export function endArranged(held: SubscriptionFields, endedAt: Date): Next {
  takeTransition(stateOf(held), "arranged-end due");
  return {
    row: {
      ...held,
      status: "deleted",
      endedAt,
      cancelAt: null,
      periodEndsAt: endedAt,
      deletionAt: after(endedAt, deletionAfterPauseMs),
      warnedAt: null,
    },
    effects: [
      { kind: "audit", action: "subscription.ended" },
      { kind: "workspace", desired: "stopped", because: "arranged-ended" },
      { kind: "mail", name: "arranged-plan-ended", at: endedAt },
    ],
  };
}

/** The plan granted until the period's end is over; executions used under it do not count against the next one. */
function grantScheduled(held: SubscriptionFields, plan: PlanFacts | undefined, at: Date, now: Date): Next | null {
  if (!plan) return null;
  const row = {
    ...held,
    startedAt: anchorOfLess(held.startedAt, held.scheduledAt!, now),
    specId: plan.specId,
    customExecutions: held.scheduledExecutions,
    customWorkflows: held.scheduledWorkflows,
    ...nothingScheduled,
  };
  return {
    row,
    effects: [
      { kind: "audit", action: "subscription.plan-changed" },
      { kind: "mail", name: "plan-changed", at },
    ],
  };
}

/** Where the owner has deleted the workspace, there is nothing to warn of. */
const warningOf = ({ dueAt, workspace }: TimerInput): Effect[] =>
  workspace ? [{ kind: "mail", name: "deletion-warning", at: dueAt }] : [];

/**
 * Never without a warning, and never sooner after it than promised, however late a worker was. This requests the deletion: the provisioner
 * first makes and verifies a last backup, however long that takes, and the owner is told once the workspace is gone ("deletion-report").
 */
function deleteWorkspace(input: TimerInput, from: "paused" | "ended"): Next {
  const { held, dueAt, now, workspace } = input;
  const leastNoticeMs = isCancelledEnd(held) ? 0 : input.leastNoticeMs;
  const warning = held.warnedAt ? [] : warningOf(input);
  const warnedAt = held.warnedAt ?? now;
  const earliest = after(warnedAt, leastNoticeMs);
  if (leastNoticeMs > 0 && earliest > now) return { row: { ...held, warnedAt, deletionAt: earliest }, effects: warning };
  takeTransition(from, "deletion due");
  return {
    // A paused subscription still exists at the provider; `endedAt` stays empty until the provider has ended it.
    row: {
      ...held,
      status: "deleted",
      deletedAt: dueAt,
      deletedLife: workspace?.life ?? null,
      deletionAt: null,
      warnedAt,
      ...nothingScheduled,
      ...nothingPending,
    },
    effects: [...warning, { kind: "audit", action: "subscription.gone" }, { kind: "workspace", desired: "deleted", because: "expired" }],
  };
}
