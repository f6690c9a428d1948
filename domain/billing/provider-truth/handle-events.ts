/**
 * A webhook is a notification, not a command: it only says where to look. Events may come twice, late, in any order or never.
 *
 * What happens on `invoice.paid`:
 * 1. apps/api/receive-webhooks.ts checks the signature, stores the event and answers; provider-event-store.ts notifies the worker.
 * 2. billing-loop.ts wakes, deal-accounts.ts finds whose event it is and gives the account a slot; `handleEventsOf` takes the account's lane.
 * 3. sync-subscription.ts reads the truth at the provider; subscription-machine.ts decides; carry-out.ts writes the row, timers, mails, workspace, audit.
 * 4. `settlePayments` (domain/journeys/manage-billing/settle-payments.ts) copies the invoice and queues the receipt.
 */
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { theService, type Billing } from "../billing.ts";
import { keepLane, leaveLane, takeLane } from "./lane-store.ts";
import { changeSubscription } from "../carry-out.ts";
import { countCorrection } from "../count-correction.ts";
import type { ProviderEventRow } from "./provider-event-store.ts";
import { endWhereTakenBack } from "./money-taken-back.ts";
import { claimNameless, claimNextOf, markFailed, markHandled, setOwner } from "./provider-event-store.ts";
import { findAccountOf } from "../subscription/subscription-store.ts";
import { syncSubscription } from "./sync-subscription.ts";

/** A killed worker's events are due again after this. */
export const eventLeaseMs = minuteMs;
/** And its lanes free: longer than an event's few calls may take. */
const laneMs = 2 * minuteMs;
const sortedAtOnce = 100;
/** With the pauses below about five days: longer than providers repeat theirs. */
const mostAttempts = 30;

/** Writes on new events whose they are, and gives those back that our own tables know nobody for: they are to be asked about. */
export async function sortEvents({ db, clock }: Billing): Promise<ProviderEventRow[]> {
  const nameless: ProviderEventRow[] = [];
  for (;;) {
    const now = clock.now();
    const events = await claimNameless(db, now, after(now, eventLeaseMs), sortedAtOnce);
    for (const event of events) {
      const accountId = await findAccountOf(db, event.provider, event);
      if (accountId) await setOwner(db, event, accountId, now);
      else nameless.push(event);
    }
    if (events.length < sortedAtOnce) return nameless;
  }
}

/** Finds out whose an event is that names nobody we know. */
export async function handleNamelessEvent(billing: Billing, event: ProviderEventRow): Promise<void> {
  const { db, clock, provider } = billing;
  await orLater(billing, event, async () => {
    const named = event.provider === provider.name && event.customerId ? await provider.whoseEvent(event.customerId) : null;
    const accountId = named && (await findAccountOf(db, event.provider, { subscriptionId: null, ...named }));
    if (accountId) await setOwner(db, event, accountId, clock.now());
    else await markHandled(db, event, clock.now(), "it names no account of ours");
  });
}

/** Handles the account's due events in their order, unless somebody else does; how many. Errors stay with their event. */
export async function handleEventsOf(billing: Billing, accountId: string): Promise<number> {
  const { db, clock } = billing;
  let lane = await takeLane(db, accountId, clock.now(), laneMs);
  let handled = 0;
  try {
    while (lane) {
      const now = clock.now();
      const event = await claimNextOf(db, accountId, now, after(now, eventLeaseMs));
      if (!event) break;
      await orLater(billing, event, async () => markHandled(db, event, clock.now(), await applyEvent(billing, accountId, event)));
      handled += 1;
      // Kept for all of them; null for one that took so long that another process has the lane by now.
      lane = await keepLane(db, accountId, lane, clock.now(), laneMs);
    }
    return handled;
  } finally {
    if (lane) await leaveLane(db, accountId, lane);
  }
}

async function orLater(billing: Billing, event: ProviderEventRow, handle: () => Promise<void>): Promise<void> {
  try {
    await handle();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isOver = event.attempts >= mostAttempts;
    billing.log.warn(
      { err: error, event: event.eventId, type: event.type, attempts: event.attempts, isOver },
      "a provider's event could not be handled",
    );
    await markFailed(billing.db, event, isOver ? null : after(billing.clock.now(), backoffMs(event.attempts)), message);
  }
}

const backoffMs = (attempts: number): number => Math.min(5 * secondMs * 2 ** (attempts - 1), 6 * hourMs);

/** After these our copies are read anew: of the provider's invoices, and of the card, which is told of as the customer's. */
const ofPayments: ReadonlySet<string> = new Set(["payment-succeeded", "payment-failed", "refund", "checkout", "customer", "invoice"]);

async function applyEvent(billing: Billing, accountId: string, event: ProviderEventRow): Promise<string | null> {
  // An event of a provider that is no longer configured can't be looked up.
  if (event.provider !== billing.provider.name) return "another provider is configured";
  const { changed } = await syncSubscription(billing, accountId, event.subscriptionId);
  if (event.kind === "payment-action-required") await askForAction(billing, accountId, event);
  if (event.kind === "refund") await endWhereTakenBack(billing, accountId);
  if (event.kind === "fraud-warning")
    await countCorrection(billing.db, billing, {
      accountId,
      kind: "fraud-warning",
      detail: `${event.customerId ?? event.eventId} is suspected of fraud`,
    });
  // Of a renewal that credit pays whole, no payment tells; its document is written all the same.
  if (changed || ofPayments.has(event.kind)) await billing.settlePayments(accountId);
  return null;
}

/** The bank wants the customer, who is not there: a mail asks them. */
async function askForAction(billing: Billing, accountId: string, event: ProviderEventRow): Promise<void> {
  await changeSubscription(billing, accountId, { actor: theService }, ({ held }) => {
    if (!held || held.providerSubscriptionId !== event.subscriptionId) return { next: null };
    return { next: { row: held, effects: [{ kind: "mail", name: "payment-action-required", at: event.occurredAt }] } };
  });
}
