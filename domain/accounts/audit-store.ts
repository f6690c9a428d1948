/** The audit log: who changed money, access, state or settings, from where. Rows are added, never changed. */
import { auditLog } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

export interface AuditEntry {
  accountId: string;
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
