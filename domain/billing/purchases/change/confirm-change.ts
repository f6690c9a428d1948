/** Makes a change of plan as it was previewed. */
import type { Choice } from "#domain/plans/plan-facts.ts";
import { isDeepStrictEqual } from "node:util";
import { say } from "#contract/sentences/say.ts";
import { requestRestart, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { applyProviderTruth } from "../../provider-truth/apply-provider-truth.ts";
import { askProvider } from "../../ask-provider.ts";
import { theService, type Actor, type Billing } from "../../billing.ts";
import { changeSubscription } from "../../carry-out.ts";
import { keyLivesMs, once, type StillOurs } from "../../idempotency.ts";
import { openChange, type OpenChange } from "./open-change.ts";
import type { ProviderSubscription } from "#payments/payment-provider.ts";
import type { Timing } from "./change-terms.ts";
import { changesStart, isGivenByRestart } from "./changes-start.ts";
import { keepsLess } from "./stops-working.ts";
import { changeRequest } from "./quote-change.ts";
import { openQuote, type Quote } from "../sealed-quote.ts";
import type { Chosen } from "../read-choice.ts";
import { nothingPending, type SubscriptionRow } from "../../subscription/subscription-states.ts";
import { mayHaveBeenMade } from "../../subscription/timer-store.ts";

/** How long an owner has, at least, to read the mail about a change that someone else made in a session of theirs. */
const timeToWithdrawMs = 7 * dayMs;

export interface AgreedChange extends Choice {
  previewId: string;
  timing?: Timing | undefined;
}

/**
 * Makes the change immediately, or records it for the period's end. The same key acts once, even if the first attempt was
 * killed halfway. `needPassword` is called before a change that soon deletes data, and may throw. Refuses (AppError) what
 * quoteChange refuses, preview_stale, payment_declined, payment_action_required (`detail` has the address for confirming it, if there is
 * one).
 */
export async function confirmChange(
  billing: Billing,
  accountId: string,
  agreed: AgreedChange,
  actor: Actor,
  key: string,
  needPassword: () => void = () => {},
): Promise<void> {
  await once(billing, { accountId, key, call: "change", request: agreed }, async (providerKey, stillOurs) => {
    // A process that died halfway left its key behind: the same request is continued for as long as keys are kept.
    const change = await openChange(billing, accountId, agreed);
    const isUnderWay = change.held.pendingKey === providerKey;
    const quote = openQuote(billing.secrets, agreed.previewId, accountId, after(billing.clock.now(), isUnderWay ? -keyLivesMs : 0));
    // The rest of a different period has a different price.
    if (isUnderWay && new Date(quote.quotedAt) < change.held.periodStartsAt) throw new AppError("preview_stale");
    // Timing and billing are as shown in the preview, which already includes the customer's choice.
    if (!isDeepStrictEqual(quote.purchase, changeRequest(change, quote.billing).purchase)) throw new AppError("preview_stale");
    if (!isUnderWay && beginsSoon(quote.timing, change.held, billing.clock.now()) && keepsLess(change, billing.delivery)) needPassword();
    if (quote.timing === "period-end") await schedule(billing, accountId, change, quote, actor);
    else await changeNow(billing, accountId, change, quote, actor, providerKey, stillOurs);
    return null;
  });
}

/** Whether the owner may learn of it too late: a later change is mailed at once, and can be withdrawn until it begins. */
const beginsSoon = (timing: Timing, { periodEndsAt }: SubscriptionRow, now: Date): boolean =>
  timing === "now" || !periodEndsAt || periodEndsAt < after(now, timeToWithdrawMs);

async function schedule(billing: Billing, accountId: string, { to }: OpenChange, quote: Quote, actor: Actor): Promise<void> {
  await changeSubscription(billing, accountId, { actor }, async ({ tx, held, now }) => {
    // Already recorded, by a process that died before it could answer.
    if (held && isScheduled(held, to)) return { next: null };
    if (!held || held.version !== quote.version || !held.periodEndsAt) throw new AppError("preview_stale");
    await refuseWhileTold(tx, accountId, held);
    const row = {
      ...held,
      scheduledPlanId: to.plan.planId,
      scheduledExecutions: to.quotas?.monthlyExecutions ?? null,
      scheduledWorkflows: to.quotas?.activeWorkflows ?? null,
      scheduledAt: held.periodEndsAt,
      scheduledToldAt: null,
    };
    return {
      next: {
        row,
        effects: [
          { kind: "audit", action: "subscription.change-scheduled" },
          { kind: "mail", name: "change-scheduled", at: now },
        ],
      },
    };
  });
}

/** Without an answer it may have been made, and a change that a bank asks about is made once the customer has confirmed. */
const mayStillHappen: ReadonlySet<string> = new Set(["payments_unavailable", "still_in_progress", "payment_action_required"]);

async function changeNow(
  billing: Billing,
  accountId: string,
  change: OpenChange,
  quote: Quote,
  actor: Actor,
  key: string,
  stillOurs: StillOurs,
): Promise<void> {
  if (!(await announce(billing, accountId, change, quote, actor, key, stillOurs))) return;
  let truth: ProviderSubscription;
  try {
    truth = await askProvider(() =>
      billing.provider.change(
        changeRequest(change, quote.billing),
        { quotedAt: new Date(quote.quotedAt), expectedDueNow: quote.dueNow },
        key,
      ),
    );
  } catch (error) {
    if (error instanceof AppError && !mayStillHappen.has(error.code)) await takeBack(billing, accountId, key);
    throw error;
  }
  await applyProviderTruth(billing, accountId, truth, actor);
  await restartForPlan(billing, accountId, change);
  await billing
    .settlePayments(accountId)
    .catch((error: unknown) => billing.log.warn({ err: error, accountId }, "a payment could not be settled yet; its event will settle it"));
}

/**
 * Records under the lock what is about to happen: of two tabs only one continues, and the provider's result is recognised as
 * requested. False if it has already happened and only the answer was lost.
 */
async function announce(
  billing: Billing,
  accountId: string,
  { to }: OpenChange,
  quote: Quote,
  actor: Actor,
  key: string,
  stillOurs: StillOurs,
): Promise<boolean> {
  const { isAhead } = await changeSubscription(billing, accountId, { actor }, async ({ tx, held, now }) => {
    await stillOurs(tx);
    if (held?.pendingKey === key) {
      await refuseWhileTold(tx, accountId, held);
      return { next: { row: { ...held, pendingAt: now }, effects: [] }, isAhead: true };
    }
    if (held && held.version !== quote.version && isGranted(held, to)) return { next: null, isAhead: false };
    if (!held || held.version !== quote.version) throw new AppError("preview_stale");
    await refuseWhileTold(tx, accountId, held);
    const row = {
      ...held,
      pendingPlanId: to.plan.planId,
      pendingExecutions: to.quotas?.monthlyExecutions ?? null,
      pendingWorkflows: to.quotas?.activeWorkflows ?? null,
      pendingKey: key,
      pendingAt: now,
    };
    return { next: { row, effects: [{ kind: "audit", action: "subscription.change-asked" }] }, isAhead: true };
  });
  return isAhead;
}

/** Which of two changes the provider makes last would be chance. Refuses (AppError) unavailable; the next click finds what came of it. */
async function refuseWhileTold(tx: Connection, accountId: string, { scheduledPlanId, scheduledToldAt }: SubscriptionRow): Promise<void> {
  if (scheduledPlanId && !scheduledToldAt && (await mayHaveBeenMade(tx, accountId, "scheduled-change"))) throw new AppError("unavailable");
}

const isGranted = (held: SubscriptionRow, { plan, quotas }: Chosen): boolean =>
  held.scheduledPlanId === null &&
  held.planId === plan.planId &&
  held.specId === plan.specId &&
  held.customExecutions === (quotas?.monthlyExecutions ?? null) &&
  held.customWorkflows === (quotas?.activeWorkflows ?? null);
const isScheduled = (held: SubscriptionRow, { plan, quotas }: Chosen): boolean =>
  held.scheduledPlanId === plan.planId &&
  held.scheduledExecutions === (quotas?.monthlyExecutions ?? null) &&
  held.scheduledWorkflows === (quotas?.activeWorkflows ?? null);

async function takeBack(billing: Billing, accountId: string, key: string): Promise<void> {
  await changeSubscription(billing, accountId, { actor: theService }, ({ held }) => ({
    next: held?.pendingKey === key ? { row: { ...held, ...nothingPending }, effects: [] } : null,
  }));
}

/**
 * The customer agreed to a restart with the change: the workspace gets what its plan includes now, not at some later start. For what
 * carry-out.ts has restarted with the grant, there is no second one.
 */
async function restartForPlan(billing: Billing, accountId: string, change: OpenChange): Promise<void> {
  const [from, to] = [change.from.plan, change.to.plan];
  if (!changesStart(billing, from, to) || isGivenByRestart(billing, from, to)) return;
  const { db, clock } = billing;
  await db.transaction(async (tx) => {
    const restarted = await requestRestart(tx, accountId, clock.now(), { mayMerge: false });
    if (restarted) await writeJournal(tx, restarted.id, { event: "plan-restart", message: say("planRestart") }, clock.now());
  });
}
