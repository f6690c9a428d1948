/** The SQL of closed accounts: without a workspace until their owner reopens them, or their day is over. */
import { eq } from "drizzle-orm";
import { accounts } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

export interface Closing {
  since: Date;
  /** From then on it can't be reopened: its backups are deleted, and its erasure is due. */
  eraseAt: Date;
  /** The operator; null: its owner. */
  by: string | null;
  /** An operator's, shown to the owner. */
  reason: string | null;
  /** Since when it is being erased, which nothing takes back; null: it is not. Absent where it is written: it stays. */
  erasingSince?: Date | null;
}

export interface LockedAccount {
  name: string;
  /** Null: it is open. */
  closing: Closing | null;
  isSuspended: boolean;
  isErased: boolean;
}

/** Locked until the transaction ends: others neither close, suspend or reopen it, nor rely on what it is. Null: there is no such account. */
export async function lockClosing(tx: Connection, accountId: string): Promise<LockedAccount | null> {
  const [row] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  if (!row) return null;
  const { name, closedAt: since, eraseAt, closedBy: by, closingReason: reason, erasingSince } = row;
  const closing = since && eraseAt ? { since, eraseAt, by, reason, erasingSince } : null;
  return { name, closing, isSuspended: row.suspendedAt !== null, isErased: row.erasedAt !== null };
}

/** Closes the account, or opens it again. Locked by `lockClosing` before. */
export async function writeClosing(tx: Connection, accountId: string, closing: Closing | null): Promise<void> {
  const { since = null, eraseAt = null, by = null, reason = null } = closing ?? {};
  await tx.update(accounts).set({ closedAt: since, eraseAt, closedBy: by, closingReason: reason }).where(eq(accounts.id, accountId));
}
