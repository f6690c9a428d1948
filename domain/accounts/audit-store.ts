/** The audit log: who changed money, access, state or settings, from where. Rows are added, never changed. */
import { sql } from "drizzle-orm";
import { auditLog, users } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

export interface AuditEntry {
  /** Null: it concerns the whole service. */
  accountId: string | null;
  /** Null: nobody who was signed in; an operator's name stands in `after`. */
  userId: string | null;
  /** What was done, as "noun.verb": "invitation.created". */
  action: string;
  before?: unknown;
  after?: unknown;
  /** Where the request came from. */
  address?: string;
}

/** Writes the row in the transaction of the change, so that neither exists without the other. */
export async function writeAudit(db: Connection, { before, after, address, ...entry }: AuditEntry, now: Date): Promise<void> {
  await db.insert(auditLog).values({ ...entry, at: now, before: before ?? null, after: after ?? null, address: address ?? null });
}

/** The same for what somebody does to whom only their own id is known here. */
export async function writeAuditOf(db: Connection, userId: string, { before, after, address, action }: Omit<AuditEntry, "accountId" | "userId">, now: Date): Promise<void> {
  const accountId = sql`(select ${users.accountId} from ${users} where ${users.id} = ${userId})`;
  await db.insert(auditLog).values({ accountId, userId, action, at: now, before: before ?? null, after: after ?? null, address: address ?? null });
}
