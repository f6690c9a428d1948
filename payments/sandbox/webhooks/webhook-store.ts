/** The SQL of deliveries: what is due, which worker has leased it, and its outcome. */
import { sandboxWebhooks } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";
import { claimRows, isFree, leaseFor } from "#platform/postgres/claim-rows.ts";
import { and, asc, desc, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";

export type WebhookRow = typeof sandboxWebhooks.$inferSelect;

/** How long a worker's lease lasts, and so when a killed worker's event is due again: twice the receiver's time limit. */
const leaseSeconds = 10;

/** Leases the oldest (or newest) due event that no other worker has leased. */
export async function claimWebhook(db: Database, now: Date, newestFirst: boolean): Promise<WebhookRow | undefined> {
  const order = newestFirst ? desc : asc;
  const rows = await claimRows(db, sandboxWebhooks, {
    key: sandboxWebhooks.id,
    due: and(lte(sandboxWebhooks.dueAt, now), isFree(sandboxWebhooks.leaseUntil)),
    order: [order(sandboxWebhooks.number)],
    most: 1,
    set: { leaseUntil: leaseFor(leaseSeconds) },
  }).returning();
  return rows[0];
}

/** Records one successful delivery. */
export async function markArrived(db: Connection, id: string, now: Date): Promise<void> {
  await db
    .update(sandboxWebhooks)
    .set({
      copies: sql`${sandboxWebhooks.copies} - 1`,
      dueAt: sql`case when ${sandboxWebhooks.copies} > 1 then ${sandboxWebhooks.dueAt} end`,
      leaseUntil: null,
      deliveredAt: now,
      lastError: null,
    })
    .where(eq(sandboxWebhooks.id, id));
}

/** Records a failed delivery; `dueAt` null abandons it. */
export async function markFailed(db: Connection, id: string, dueAt: Date | null, error: string): Promise<void> {
  await db
    .update(sandboxWebhooks)
    .set({ attempts: sql`${sandboxWebhooks.attempts} + 1`, dueAt, leaseUntil: null, lastError: error })
    .where(eq(sandboxWebhooks.id, id));
}

/** When the next event is due; null: none waiting. */
export async function nextWebhookDue(db: Connection): Promise<Date | null> {
  const [first] = await db
    .select({ dueAt: sandboxWebhooks.dueAt })
    .from(sandboxWebhooks)
    .where(isNotNull(sandboxWebhooks.dueAt))
    .orderBy(asc(sandboxWebhooks.dueAt))
    .limit(1);
  return first?.dueAt ?? null;
}

/** Makes events due again: the dropped ones, or the newest in any state. Resolves with their number. */
export async function sendAgain(db: Connection, which: "dropped" | "newest", now: Date): Promise<number> {
  const chosen = db.select({ id: sandboxWebhooks.id }).from(sandboxWebhooks).$dynamic();
  const ids =
    which === "dropped"
      ? chosen.where(isNotNull(sandboxWebhooks.droppedAt))
      : chosen.orderBy(desc(sandboxWebhooks.number)).limit(newestCount);
  const sent = await db
    .update(sandboxWebhooks)
    .set({ dueAt: now, leaseUntil: null, droppedAt: null, copies: sql`greatest(1, ${sandboxWebhooks.copies})` })
    .where(inArray(sandboxWebhooks.id, sql`(${ids})`))
    .returning({ id: sandboxWebhooks.id });
  return sent.length;
}

const newestCount = 10;

/** How many events are waiting, how many were dropped, and the last error of a waiting one. */
export async function countWebhooks(db: Connection): Promise<{ waiting: number; dropped: number; lastError: string | null }> {
  const [row] = await db
    .select({
      waiting: sql<number>`count(*) filter (where ${sandboxWebhooks.dueAt} is not null)::int`,
      dropped: sql<number>`count(*) filter (where ${sandboxWebhooks.droppedAt} is not null)::int`,
      lastError: sql<string | null>`max(${sandboxWebhooks.lastError}) filter (where ${sandboxWebhooks.dueAt} is not null)`,
    })
    .from(sandboxWebhooks);
  return row ?? { waiting: 0, dropped: 0, lastError: null };
}
