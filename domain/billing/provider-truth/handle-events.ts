/**
 * A webhook only says where to look. Events may arrive twice, late, out of order or never.
 *
 * What happens on `invoice.paid`:
 * 1. apps/api/receive-webhooks.ts checks the signature, stores the event and answers; provider-event-store.ts notifies the worker.
 * 2. billing-loop.ts wakes, deal-accounts.ts finds the event's account and gives it a slot; `handleEventsOf` takes the account's lane.
 * 3. sync-subscription.ts reads the provider's state; subscription-machine.ts decides; carry-out.ts writes the row, timers, mails, workspace, audit.
 * 4. `settlePayments` (domain/journeys/manage-billing/settle-payments.ts) copies the invoice and queues the receipt.
 */
import { createHash } from "node:crypto";
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { atMostEvery } from "#platform/loops/at-most-every.ts";
import { asSpan } from "#platform/tracing/current-work.ts";
import { readingAfresh } from "#platform/loops/read-once.ts";
import { continueTrace, type Span } from "#platform/tracing/tracer.ts";
import { theService, type Billing } from "../billing.ts";
import { keepLane, leaveLane, takeLane } from "./lane-store.ts";
import { changeSubscription } from "../carry-out.ts";
import { countCorrection } from "../count-correction.ts";
import { noteUnexpected } from "../note-unexpected.ts";
import type { ProviderEventRow } from "./provider-event-store.ts";
import { noteFirst } from "../reconcile/finding-store.ts";
import { endWhereTakenBack } from "./money-taken-back.ts";
import { askedToWaitMs } from "../ask-provider.ts";
import { claimNameless, claimNewOf, claimNextOf, markFailed, markHandled, markPutOff, setOwner } from "./provider-event-store.ts";
import { findAccountOf, findSubscription } from "../subscription/subscription-store.ts";
import { stateOf } from "../subscription/subscription-states.ts";
import { listOpenCheckouts } from "../purchases/checkout/checkout-store.ts";
import { syncSubscription } from "./sync-subscription.ts";

/** When a killed worker's lanes are free again: longer than an event's few calls may take. */
export const laneMs = 2 * minuteMs;
const sortedAtOnce = 100;
/** A renewal has about ten events; more would hold the lane for too long. */
const mostAtOnce = 50;
/** With the delays below about five days, longer than providers repeat their events. */
const mostAttempts = 30;

/** Records the owner of each new event, and returns those whose owner is not in our tables, to be looked up at the provider. */
export async function sortEvents(billing: Billing): Promise<ProviderEventRow[]> {
  const { db, clock } = billing;
  const nameless: ProviderEventRow[] = [];
  for (;;) {
    const now = clock.now();
    const events = await claimNameless(db, now, sortedAtOnce);
    for (const event of events) {
      const accountId = await findAccountOf(db, event.provider, event);
      if (accountId) await setOwner(db, event, accountId, await dueAt(billing, event, accountId, now));
      else nameless.push(event);
    }
    if (events.length < sortedAtOnce) return nameless;
  }
}

/** Kinds of which a renewal has several. All others are handled immediately. */
const ofRenewals: ReadonlySet<string> = new Set(["payment-succeeded", "subscription", "checkout", "invoice", "other"]);

/**
 * When an event is handled: immediately if a customer may wait for it, such as after a purchase or a failed payment. Of a subscription
 * that only continues, a provider's `gathersEventsMs` later, with all that have come until then.
 */
async function dueAt({ db, provider }: Billing, { kind, ...event }: ProviderEventRow, accountId: string, now: Date): Promise<Date> {
  if (!provider.gathersEventsMs || event.provider !== provider.name || !ofRenewals.has(kind)) return now;
  const held = await findSubscription(db, accountId);
  const isCalm = held?.provider === provider.name && stateOf(held) === "active" && held.pendingKey === null;
  return isCalm && (await listOpenCheckouts(db, accountId, provider.name)).length === 0 ? after(now, provider.gathersEventsMs) : now;
}

/** Looks up the owner of an event that names no account we know. */
export async function handleNamelessEvent(billing: Billing, event: ProviderEventRow): Promise<void> {
  const { db, clock, provider } = billing;
  await orLater(billing, event, async () => {
    const named = event.provider === provider.name && event.customerId ? await provider.whoseEvent(event.customerId) : null;
    const accountId = named && (await findAccountOf(db, event.provider, { subscriptionId: null, ...named }));
    if (accountId) return setOwner(db, event, accountId, clock.now());
    const missing = event.accountId ?? named?.accountId;
    if (missing && paying.has(event.kind)) await noteOwnerless(billing, event, missing, named?.customerId ?? event.customerId);
    await markHandled(db, event, clock.now(), "no account matches it");
  });
}

/** Events that mean that somebody paid or will. */
const paying: ReadonlySet<string> = new Set(["checkout", "payment-succeeded", "subscription"]);

/**
 * Our checkout named an account that does not exist here, such as one that a restored dump does not know: somebody pays for nothing. Sums
 * and name follow with the next comparison. An event of what we did not sell names no account, and is none of our business.
 */
async function noteOwnerless(billing: Billing, event: ProviderEventRow, missing: string, customerId: string | null): Promise<void> {
  const { db, clock, log } = billing;
  log.error({ event: event.eventId, type: event.type, missing }, "an event of the payment provider names an account that does not exist");
  const { kind, objectId } = { kind: "no-account" as const, objectId: customerId ?? event.subscriptionId ?? event.eventId };
  const detail = `account ${missing} does not exist; event ${event.eventId} (${event.type}) is about it`;
  await noteFirst(db, event.provider, { kind, objectId, accountId: null, name: "", paid: {}, detail }, clock.now());
}

/** Handles the account's due events in order unless another process does; returns how many. Errors are stored with their event. */
export async function handleEventsOf(billing: Billing, accountId: string): Promise<number> {
  const { db, clock } = billing;
  let lane = await takeLane(db, accountId, laneMs);
  let handled = 0;
  try {
    while (lane) {
      const first = await claimNextOf(db, accountId, clock.now());
      if (!first) break;
      // One look answers all that are new, also those that would have waited for more to come. An event that failed before is tried alone, so that it holds up no other.
      const rest = first.attempts === 1 ? await claimNewOf(db, accountId, mostAtOnce) : [];
      handled += await handleTogether(billing, accountId, [first, ...rest]);
      // Extended for the whole batch; null if it took so long that another process has the lane by now.
      lane = await keepLane(db, accountId, lane, laneMs);
    }
    return handled;
  } finally {
    if (lane) await leaveLane(db, accountId, lane);
  }
}

/** Applies the events by one look at the provider. Returns how many there were; if the look fails, each is tried again later, alone. */
async function handleTogether(billing: Billing, accountId: string, events: readonly ProviderEventRow[]): Promise<number> {
  const [first, ...others] = events as [ProviderEventRow, ...ProviderEventRow[]];
  let failure: unknown;
  await orLater(billing, first, async () => {
    try {
      const note = await readingAfresh(() => applyEvents(billing, accountId, events));
      await markHandled(billing.db, first, billing.clock.now(), note(first));
      for (const event of others) await markHandled(billing.db, event, billing.clock.now(), note(event));
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  for (const event of others)
    if (failure !== undefined) await orLater(billing, event, () => Promise.reject(failure));
    else billing.onEvent?.("handled");
  return events.length;
}

function orLater(billing: Billing, event: ProviderEventRow, handle: () => Promise<void>): Promise<void> {
  const about = { "slipway.event.kind": event.kind, "slipway.attempt": event.attempts };
  const span = continueTrace(billing.tracer, event.traceparent, "billing event", about);
  return asSpan({}, span, () => tryOrLater(billing, event, span, handle));
}

async function tryOrLater(billing: Billing, event: ProviderEventRow, span: Span | null, handle: () => Promise<void>): Promise<void> {
  try {
    await handle();
    billing.onEvent?.("handled");
  } catch (error) {
    span?.end(error instanceof Error ? error.name : "error");
    const message = error instanceof Error ? error.message : String(error);
    const waitMs = askedToWaitMs(error);
    if (waitMs > 0) {
      // Nothing is wrong with the event: it is no attempt, so that it is still answered together with others.
      sayPutOff(billing.log, { event: event.eventId, waitMs });
      return markPutOff(billing.db, event, after(billing.clock.now(), waitMs + spreadMs(event, waitMs)), message);
    }
    const isOver = event.attempts >= mostAttempts;
    billing.onEvent?.(isOver ? "given-up" : "failed");
    billing.log.warn(
      { err: error, event: event.eventId, type: event.type, attempts: event.attempts, isOver },
      "a provider event could not be handled",
    );
    await markFailed(billing.db, event, isOver ? null : after(billing.clock.now(), backoffMs(event.attempts)), message);
    await noteUnexpected(billing, event.ownerId, error, event.attempts);
  }
}

/** One line a minute in each log: at the limit, the events of hundreds of accounts wait. */
function sayPutOff(log: Log, about: { event: string; waitMs: number }): void {
  const say =
    putOffSayers.get(log) ??
    atMostEvery(minuteMs, (given: object) => log.info(given, "the payment provider's limit of calls is reached; events wait"));
  putOffSayers.set(log, say);
  say(about);
}
const putOffSayers = new WeakMap<Log, (about: object) => void>();

/**
 * How much longer an account's events wait than the provider asks, up to a minute: what waits together would be over the limit together
 * again. The same for all events of an account, which are answered together.
 */
function spreadMs({ ownerId, eventId }: ProviderEventRow, waitMs: number): number {
  const share =
    createHash("sha256")
      .update(ownerId ?? eventId)
      .digest()
      .readUInt32BE() /
    2 ** 32;
  return Math.floor(share * Math.min(waitMs, minuteMs));
}

const backoffMs = (attempts: number): number => Math.min(5 * secondMs * 2 ** (attempts - 1), 6 * hourMs);

/** Events that refresh our copies of the provider's invoices and of the card; a new card is reported as a change to the customer. */
const ofPayments: ReadonlySet<string> = new Set(["payment-succeeded", "payment-failed", "refund", "checkout", "customer", "invoice"]);

/** Returns what to note about each event. */
async function applyEvents(
  billing: Billing,
  accountId: string,
  events: readonly ProviderEventRow[],
): Promise<(event: ProviderEventRow) => string | null> {
  // An event of a provider that is no longer configured can't be looked up.
  const own = events.filter(({ provider }) => provider === billing.provider.name);
  const note = ({ provider }: ProviderEventRow) => (provider === billing.provider.name ? null : "another provider is configured");
  if (own.length === 0) return note;
  const named = own.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const { changed } = await syncSubscription(billing, accountId, named);
  for (const event of own) {
    if (event.kind === "payment-action-required") await askForAction(billing, accountId, event);
    if (event.kind === "fraud-warning")
      await countCorrection(billing.db, billing, {
        accountId,
        kind: "fraud-warning",
        detail: `${event.customerId ?? event.eventId} is suspected of fraud`,
      });
  }
  if (own.some(({ kind }) => kind === "refund")) await endWhereTakenBack(billing, accountId);
  // A renewal paid entirely from credit has no payment event, but still needs its document.
  if (changed || own.some(({ kind }) => ofPayments.has(kind))) await billing.settlePayments(accountId);
  return note;
}

/** The bank asks for the customer, who is not present: a mail asks them to confirm. */
async function askForAction(billing: Billing, accountId: string, event: ProviderEventRow): Promise<void> {
  await changeSubscription(billing, accountId, { actor: theService }, ({ held }) => {
    if (!held || held.providerSubscriptionId !== event.subscriptionId) return { next: null };
    return { next: { row: held, effects: [{ kind: "mail", name: "payment-action-required", at: event.occurredAt }] } };
  });
}
