/** The SQL of provider events. */
import { and, count, eq, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import { providerEvents } from "#database/tables.ts";
import { scrub } from "#contract/api/scrub.ts";
import type { Connection, Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { isFreeNow } from "#platform/postgres/claim-rows.ts";
import { isDueAt, leaseRows, noLease, type Leasing, type Queue } from "#platform/postgres/queue.ts";
import { currentTraceparent } from "#platform/tracing/current-work.ts";
import type { PaymentProviderName, ProviderEvent } from "#payments/payment-provider.ts";

/** The notification channel for new events. */
export const eventReceivedChannel = "provider_event";

/** Names, addresses and cards are the provider's to keep; 64 KB is enough for every event we know. */
const personal = /name|email|phone|address|line\d|city|postal|country|vat|tax_id|ip$|card|bank|iban|url/i;
const mostPayloadBytes = 64 * 1024;

/** A payload that is safe to store: no personal data, no secrets, no links that grant access. */
function scrubPayload(payload: unknown): unknown {
  const kept = withoutPersonal(scrub(payload), 0);
  return JSON.stringify(kept ?? null).length > mostPayloadBytes ? null : kept;
}

function withoutPersonal(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > 12) return null;
  if (Array.isArray(value)) return value.map((item) => withoutPersonal(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (personal.test(name) ? [] : [[name, withoutPersonal(item, depth + 1)]])),
  );
}

/** Stores a correctly signed event; false if it is already stored. Answer the webhook with 200 only after this. */
export async function receiveEvent(db: Connection, provider: PaymentProviderName, event: ProviderEvent, now: Date): Promise<boolean> {
  const { id: eventId, kind, type, subscriptionId, customerId, accountId, occurredAt } = event;
  const inserted = await db
    .insert(providerEvents)
    .values({
      provider,
      eventId,
      kind,
      type,
      subscriptionId,
      customerId,
      accountId,
      occurredAt,
      payload: scrubPayload(event.payload),
      receivedAt: now,
      runAt: now,
      traceparent: currentTraceparent(),
    })
    .onConflictDoNothing()
    .returning({ id: providerEvents.eventId });
  if (!inserted[0]) return false;
  await db.execute(sql`select pg_notify(${eventReceivedChannel}, '')`);
  return true;
}

export type ProviderEventRow = typeof providerEvents.$inferSelect;

/** When a killed worker's events are handled by another one. */
const eventLeaseSeconds = 60;
/** Leased by no living worker. */
export const isFreeEvent = isFreeNow(providerEvents.leaseUntil, eventLeaseSeconds);

/** Due events: how many, and for how many seconds the first has waited since it was received. */
export async function waitingEvents(db: Connection, now: Date): Promise<{ waiting: number; seconds: number }> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await db
    .select({ waiting: count(), seconds: sql<number>`coalesce(extract(epoch from ${at} - min(${providerEvents.receivedAt})), 0)::float8` })
    .from(providerEvents)
    .where(and(lte(providerEvents.runAt, now), isFreeEvent));
  return row!;
}

const queue: Queue<typeof providerEvents> = {
  table: providerEvents,
  key: providerEvents.eventId,
  dueAt: providerEvents.runAt,
  leaseSeconds: eventLeaseSeconds,
};

/** Leases up to `most` events with an unknown owner, longest waiting first. */
export async function claimNameless(db: Database, now: Date, most: number): Promise<ProviderEventRow[]> {
  const due = and(isDueAt(queue, now), isNull(providerEvents.ownerId));
  return claimEvents(db, { due, order: [providerEvents.runAt], most });
}

/** Leases the account's due event that was received first. */
export async function claimNextOf(db: Database, accountId: string, now: Date): Promise<ProviderEventRow | null> {
  const due = and(eq(providerEvents.ownerId, accountId), isDueAt(queue, now));
  const order = [providerEvents.receivedAt, providerEvents.occurredAt, providerEvents.eventId];
  return (await claimEvents(db, { due, order, most: 1 }))[0] ?? null;
}

/** Leases up to `most` of the account's events that were never tried, due or not, in the order in which they were received. */
export async function claimNewOf(db: Database, accountId: string, most: number): Promise<ProviderEventRow[]> {
  const due = and(eq(providerEvents.ownerId, accountId), isNotNull(providerEvents.runAt), eq(providerEvents.attempts, 0));
  const order = [providerEvents.receivedAt, providerEvents.occurredAt, providerEvents.eventId];
  const claimed = await claimEvents(db, { due, order, most });
  return claimed.toSorted((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime());
}

/** One lease for all that are claimed together: its id is in each row. */
const claimEvents = (db: Database, rows: Omit<Leasing<typeof providerEvents>, "owner">): Promise<ProviderEventRow[]> =>
  leaseRows(db, queue, { ...rows, owner: newId() }).returning();

/** The owner is now known: due for them at `runAt`, with no attempts yet. */
export async function setOwner(db: Connection, event: ProviderEventRow, accountId: string, runAt: Date): Promise<void> {
  await db
    .update(providerEvents)
    .set({ ownerId: accountId, runAt, attempts: 0, ...noLease })
    .where(ours(event));
}

/** Unless another process has leased the event since it was claimed. */
const ours = ({ provider, eventId, leaseOwner }: Pick<ProviderEventRow, "provider" | "eventId" | "leaseOwner">): SQL | undefined =>
  and(
    eq(providerEvents.provider, provider),
    eq(providerEvents.eventId, eventId),
    sql`${providerEvents.leaseOwner} is not distinct from ${leaseOwner}::uuid`,
  );

/** Handled permanently; `note` says why there was nothing to do. */
export async function markHandled(db: Connection, event: ProviderEventRow, now: Date, note: string | null): Promise<void> {
  await db
    .update(providerEvents)
    .set({ handledAt: now, runAt: null, lastError: note, ...noLease })
    .where(ours(event));
}

/** Not handled yet, and that is no fault of the event's: due again at `runAt`, as if it had not been tried. */
export async function markPutOff(db: Connection, event: ProviderEventRow, runAt: Date, why: string): Promise<void> {
  await db
    .update(providerEvents)
    .set({ runAt, lastError: why.slice(0, 500), attempts: sql`greatest(${providerEvents.attempts} - 1, 0)`, ...noLease })
    .where(ours(event));
}

/** Failed: retried at `runAt`, or given up if null. */
export async function markFailed(db: Connection, event: ProviderEventRow, runAt: Date | null, error: string): Promise<void> {
  await db
    .update(providerEvents)
    .set({ runAt, lastError: error.slice(0, 500), ...noLease })
    .where(ours(event));
}
