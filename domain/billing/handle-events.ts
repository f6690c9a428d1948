/**
 * Webhooks are notifications, not commands: an event only says where to look, and what is true is read at the provider. So
 * events may come twice, late, in any order or never.
 */
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Billing } from "./billing.ts";
import { theService } from "./billing.ts";
import type { ProviderEventRow } from "./provider-event-store.ts";
import { claimEvents, markFailed, markHandled } from "./provider-event-store.ts";
import { readPlans } from "./plan-facts-store.ts";
import { findAccountOf, lockSubscription, saveSubscription } from "./subscription-store.ts";
import { syncSubscription } from "./sync-subscription.ts";

/** A killed worker's events are due again after this. */
export const eventLeaseMs = minuteMs;
const mostAtOnce = 10;
/** With the pauses below about five days: longer than providers repeat theirs. */
const mostAttempts = 30;

/** Handles what is due; how many events were taken. Errors stay with their event. */
export async function handleEvents(billing: Billing): Promise<number> {
  const now = billing.clock.now();
  const events = await claimEvents(billing.db, now, after(now, eventLeaseMs), mostAtOnce);
  for (const event of events) await handleOne(billing, event);
  return events.length;
}

async function handleOne(billing: Billing, event: ProviderEventRow): Promise<void> {
  try {
    const note = await follow(billing, event);
    await markHandled(billing.db, event, billing.clock.now(), note);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isOver = event.attempts >= mostAttempts;
    billing.log.warn({ err: error, event: event.eventId, type: event.type, attempts: event.attempts, isOver }, "a provider's event could not be handled");
    await markFailed(billing.db, event, isOver ? null : after(billing.clock.now(), backoffMs(event.attempts)), message);
  }
}

const backoffMs = (attempts: number): number => Math.min(5 * secondMs * 2 ** (attempts - 1), 6 * hourMs);

const ofPayments: ReadonlySet<string> = new Set(["payment-succeeded", "payment-failed", "refund", "checkout"]);

async function follow(billing: Billing, event: ProviderEventRow): Promise<string | null> {
  // An event of a provider that is no longer configured can't be looked up.
  if (event.provider !== billing.provider.name) return "another provider is configured";
  const accountId = await findAccountOf(billing.db, event.provider, event);
  if (!accountId) return "it names no account of ours";
  await syncSubscription(billing, accountId, event.subscriptionId);
  if (event.kind === "payment-action-required") await askForAction(billing, accountId, event);
  if (ofPayments.has(event.kind)) await billing.settlePayments(accountId);
  return null;
}

/** The bank wants the customer, who is not there: a mail asks them. */
async function askForAction(billing: Billing, accountId: string, event: ProviderEventRow): Promise<void> {
  await billing.db.transaction(async (tx) => {
    const held = await lockSubscription(tx, accountId);
    if (!held || held.providerSubscriptionId !== event.subscriptionId) return;
    await saveSubscription(tx, { billing, accountId, held, next: { row: held, effects: [{ kind: "mail", name: "payment-action-required", at: event.occurredAt }] }, plans: await readPlans(tx), actor: theService });
  });
}
