/** The audit log: who changed money, access, state or settings, and from where. The database only allows adding rows. */
import { asc, inArray, sql } from "drizzle-orm";
import { auditLog, auditOutbox, users } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { currentRequestId } from "#platform/tracing/current-work.ts";
import { lockRows } from "#platform/postgres/claim-rows.ts";
import type { AuditAction } from "./audit-actions.ts";

export interface AuditEntry {
  /** Null: it applies to the whole service. */
  accountId: string | null;
  /** Null: no signed-in user did it; an operator's name is in `after`. */
  userId: string | null;
  action: AuditAction;
  before?: unknown;
  after?: unknown;
  /** Where the request came from. */
  address?: string;
}

/** Writes the row in the transaction of the change, so that neither exists without the other. */
export async function writeAudit(db: Connection, { before, after, address, ...entry }: AuditEntry, now: Date): Promise<void> {
  await db.insert(auditLog).values({ ...entry, ...columns({ before, after, address }, now) });
}

/** Like `writeAudit`, for callers that know only the user's id. */
export async function writeAuditOf(
  db: Connection,
  userId: string,
  { before, after, address, action }: Omit<AuditEntry, "accountId" | "userId">,
  now: Date,
): Promise<void> {
  const accountId = sql`(select ${users.accountId} from ${users} where ${users.id} = ${userId})`;
  await db.insert(auditLog).values({ accountId, userId, action, ...columns({ before, after, address }, now) });
}

const columns = ({ before, after, address }: Pick<AuditEntry, "before" | "after" | "address">, now: Date) => ({
  at: now,
  before: before ?? null,
  after: after ?? null,
  address: address ?? null,
  requestId: currentRequestId() ?? null,
});

export type AuditRow = typeof auditLog.$inferSelect;

/**
 * Takes up to `limit` rows out of the outbox, the oldest first. Each one was committed, since a rollback takes its entry with it.
 * Skips rows that another worker has claimed; they return if the caller's transaction does not commit.
 */
export async function takeUnshipped(tx: Connection, limit: number): Promise<AuditRow[]> {
  const key = auditOutbox.auditId;
  const ids = await lockRows(tx, auditOutbox, { key, due: undefined, order: [asc(key)], most: limit });
  if (ids.length === 0) return [];
  await tx.delete(auditOutbox).where(inArray(auditOutbox.auditId, ids));
  return tx.select().from(auditLog).where(inArray(auditLog.id, ids)).orderBy(asc(auditLog.id));
}
