/** What timers do at the provider before they act: look for a payment whose event is late, or make a change. */
import { findOwner } from "#domain/accounts/credential-store.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { readingAfresh } from "#platform/loops/read-once.ts";
import { applyProviderTruth } from "./apply-provider-truth.ts";
import { theService, type Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { countCorrection } from "../count-correction.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { purchaseOf } from "#domain/plans/plan-facts.ts";
import { listOpenCheckouts } from "../purchases/checkout/checkout-store.ts";
import { isRunning, nothingPending, stateOf, type SubscriptionRow } from "../subscription/subscription-states.ts";
import { endWhereTakenBack } from "./money-taken-back.ts";
import { nextTruthCheck } from "../subscription/subscription-timers.ts";
import { findSubscription } from "../subscription/subscription-store.ts";
import { syncSubscription } from "./sync-subscription.ts";
import type { DueTimer } from "../subscription/timer-store.ts";

/** A trial's end only stops the workspace, and a payment found later restarts it, so it does not wait indefinitely. */
const trialEndWaitsMs = 10 * minuteMs;

/** Longer than a change at a provider takes, which is several calls with repeats, also after its caller has stopped waiting. */
const changeMayTakeMs = 10 * minuteMs;

/**
 * Asks the provider; then the timer acts on our row. Returns a date to try again later instead. Throws the port's errors, on which the
 * timer is retried.
 */
export async function askForTimer(billing: Billing, accountId: string, timer: DueTimer): Promise<Date | null> {
  const held = await findSubscription(billing.db, accountId);
  if (!held) return null;
  if (isElsewhere(billing, held) && waitsForProvider(timer, held)) return after(billing.clock.now(), dayMs);
  switch (timer.kind) {
    case "trial-end":
      if (await hasOpenCheckout(billing, accountId)) await askBeforeTrialEnd(billing, accountId, timer.dueAt);
      return null;
    case "deletion":
      if (isOurs(billing, held) || (await hasOpenCheckout(billing, accountId))) await syncSubscription(billing, accountId);
      return null;
    case "deletion-report":
      return (await isStillThere(billing, held)) ? nextDeletionLook(held, billing.clock.now()) : null;
    case "truth-check":
      return readingAfresh(() => checkTruth(billing, accountId, held));
    case "scheduled-change":
      return tellOfChange(billing, accountId, timer.attempts);
    case "end-at-provider":
      if (isOurs(billing, held) && stateOf(held) === "gone")
        await applyProviderTruth(
          billing,
          accountId,
          await billing.provider.cancelNow(held.providerSubscriptionId!, `gone-${held.providerSubscriptionId}`),
        );
      return null;
    default:
      return null;
  }
}

/** A last backup takes seconds to minutes; one that fails is repeated for days, until an operator helps. */
const nextDeletionLook = ({ deletedAt }: SubscriptionRow, now: Date): Date =>
  after(now, now < after(deletedAt ?? now, hourMs) ? minuteMs : hourMs);

async function isStillThere({ db }: Billing, { accountId, deletedLife }: SubscriptionRow): Promise<boolean> {
  const workspace = await findWorkspace(db, accountId);
  return workspace?.life === deletedLife && workspace.observedState !== "deleted";
}

const hasOpenCheckout = async ({ db, provider }: Billing, accountId: string) =>
  (await listOpenCheckouts(db, accountId, provider.name)).length > 0;
const isOurs = ({ provider }: Billing, held: SubscriptionRow) => held.provider === provider.name && held.providerSubscriptionId !== null;

/** At a provider that is not configured now but may be again later. */
const isElsewhere = ({ provider }: Billing, held: SubscriptionRow) => held.provider !== null && held.provider !== provider.name;
/** If this timer were given up, an unpaid subscription would keep running forever once its provider is back. */
const waitsForProvider = ({ kind }: DueTimer, held: SubscriptionRow): boolean =>
  kind === "scheduled-change" || kind === "end-at-provider" || (kind === "truth-check" && isRunning(stateOf(held)));

async function askBeforeTrialEnd(billing: Billing, accountId: string, dueAt: Date): Promise<void> {
  try {
    await syncSubscription(billing, accountId);
  } catch (error) {
    if (billing.clock.now() < after(dueAt, trialEndWaitsMs)) throw error;
    billing.log.warn({ err: error, accountId }, "a trial ends without the provider having said whether it was paid");
  }
}

/** A difference found here was missed by the events, so it is counted. */
async function checkTruth(billing: Billing, accountId: string, before: SubscriptionRow): Promise<Date | null> {
  if (!isOurs(billing, before)) return null;
  const synced = await syncSubscription(billing, accountId);
  await tellAddress(billing, accountId);
  const changed = (await endWhereTakenBack(billing, accountId)) || synced.changed;
  if (changed) {
    await countCorrection(billing.db, billing, {
      accountId,
      kind: "missed-event",
      detail: `${before.providerSubscriptionId} changed without an event`,
    });
    await billing.settlePayments(accountId);
  }
  const held = await findSubscription(billing.db, accountId);
  const now = billing.clock.now();
  switch (held ? stateOf(held) : "none") {
    case "past-due":
      return after(now, dayMs);
    case "active":
    case "cancelling": {
      const end = held!.cancelAt ?? held!.periodEndsAt!;
      // The period is over, and the provider has not charged or ended it yet.
      return end <= now ? after(now, hourMs) : nextTruthCheck(now, end);
    }
    default:
      return null;
  }
}

/** The provider emails its customers and may allow one customer per address, so it learns a new one within moments and again each week. */
async function tellAddress({ db, provider, log }: Billing, accountId: string): Promise<void> {
  const [held, owner] = await Promise.all([findSubscription(db, accountId), findOwner(db, accountId)]);
  if (held?.provider !== provider.name || !held.providerCustomerId || !owner) return;
  try {
    await provider.saveEmail(held.providerCustomerId, { accountId, email: owner.email });
  } catch (error) {
    // Permanent, such as when the address belongs to another customer there: the account's other work does not wait for it.
    if (!(error instanceof ProviderRefusal)) throw error;
    log.warn({ err: error, accountId }, "the provider refused this customer's new email address and keeps the old one");
  }
}

/**
 * Made shortly before the renewal, which is then billed at the new plan; if we are late, made after it, with the difference credited. Each
 * attempt has its own key, since providers repeat a failure; a charging attempt is recognised by its purpose, however often it is made.
 */
async function tellOfChange(billing: Billing, accountId: string, attempts: number): Promise<Date | null> {
  const before = await findSubscription(billing.db, accountId);
  const until = onItsWayUntil(before, billing.clock.now());
  // Whichever of the two the provider made last would win. While this timer runs, no other change begins.
  if (until && before?.scheduledAt && until < before.scheduledAt) return until;
  // The timers of the period's end must not overtake this one.
  if (until) throw new Error("a change of plan is on its way to the provider");
  const held = await settlePending(billing, accountId);
  if (!held || !isOurs(billing, held) || stateOf(held) !== "active" || !held.scheduledPlanId || held.scheduledToldAt) return null;
  const plan = (await readPlans(billing.db)).get(held.scheduledPlanId);
  if (!plan) return null;
  const quotas =
    held.scheduledExecutions === null || held.scheduledWorkflows === null
      ? null
      : { monthlyExecutions: held.scheduledExecutions, activeWorkflows: held.scheduledWorkflows };
  const isBefore = billing.clock.now() < held.scheduledAt!;
  const request = {
    subscriptionId: held.providerSubscriptionId!,
    purchase: purchaseOf(plan, quotas),
    billing: isBefore ? ("next-period" as const) : ("now" as const),
  };
  const quote = await billing.provider.previewChange(request, null);
  const key = `scheduled-${accountId}-${held.scheduledAt!.getTime()}-${held.version}-${isBefore ? attempts : "late"}`;
  const truth = await billing.provider.change(request, { quotedAt: quote.quotedAt, expectedDueNow: quote.dueNow }, key);
  await applyProviderTruth(billing, accountId, truth);
  // No payment event reports a credit, so its document is looked for here.
  if (!isBefore)
    await billing
      .settlePayments(accountId)
      .catch((error: unknown) =>
        billing.log.warn({ err: error, accountId }, "the document of a plan change could not be copied; the next payment will copy it"),
      );
  return null;
}

/** Until when a change sent to the provider may still be made there; null if none may. */
function onItsWayUntil(held: SubscriptionRow | null, now: Date): Date | null {
  if (!held?.pendingAt) return null;
  const until = after(held.pendingAt, changeMayTakeMs);
  // Sent in the future: the clock has been set back since.
  return held.pendingAt <= now && now < until ? until : null;
}

/**
 * An unanswered immediate change could be mistaken for the scheduled one and granted before the period's end. The
 * provider knows whether it was made; if not, it is forgotten.
 */
async function settlePending(billing: Billing, accountId: string): Promise<SubscriptionRow | null> {
  const before = await findSubscription(billing.db, accountId);
  if (!before?.pendingKey || !isOurs(billing, before)) return before;
  await syncSubscription(billing, accountId);
  await changeSubscription(billing, accountId, { actor: theService }, ({ held }) => ({
    next: held?.pendingKey === before.pendingKey ? { row: { ...held, ...nothingPending }, effects: [] } : null,
  }));
  return findSubscription(billing.db, accountId);
}
