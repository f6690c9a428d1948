/** The SQL of suspensions: an operator keeps an account's workspace stopped, and no payment starts it. */
import { and, asc, eq, isNotNull, lte } from "drizzle-orm";
import { accounts } from "#database/tables.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";

export interface Suspension {
  since: Date;
  /** Null: until an operator lifts it. */
  until: Date | null;
  /** The operator. */
  by: string;
  /** Shown to the owner. */
  reason: string;
}

/**
 * Whether the account is suspended. The answer stays true until the transaction ends: it holds the account's row, for whose change a
 * suspension waits.
 */
export async function isSuspended(tx: Connection, accountId: string): Promise<boolean> {
  const [row] = await tx.select({ since: accounts.suspendedAt }).from(accounts).where(eq(accounts.id, accountId)).for("share");
  return row !== undefined && row.since !== null;
}

/** Throws AppError `account_suspended`; like `isSuspended` for everything else. */
export async function refuseSuspended(tx: Connection, accountId: string): Promise<void> {
  if (await isSuspended(tx, accountId)) throw new AppError("account_suspended");
}

/** The suspension of an account, locked until the transaction ends: others neither change it nor rely on it. Null: there is none. */
export async function lockSuspension(tx: Connection, accountId: string): Promise<Suspension | null> {
  const [row] = await tx
    .select({ since: accounts.suspendedAt, until: accounts.suspendedUntil, by: accounts.suspendedBy, reason: accounts.suspensionReason })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
  return row?.since ? { since: row.since, until: row.until, by: row.by ?? "", reason: row.reason ?? "" } : null;
}

/** Writes it, or ends it. Locked by `lockSuspension` before. */
export async function writeSuspension(tx: Connection, accountId: string, suspension: Suspension | null): Promise<void> {
  const { since = null, until = null, by = null, reason = null } = suspension ?? {};
  await tx
    .update(accounts)
    .set({ suspendedAt: since, suspendedUntil: until, suspendedBy: by, suspensionReason: reason })
    .where(eq(accounts.id, accountId));
}

/** The accounts whose suspension was to end by `now`, the earliest first. */
export async function listEndedSuspensions(db: Connection, now: Date, most: number): Promise<string[]> {
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isNotNull(accounts.suspendedUntil), lte(accounts.suspendedUntil, now)))
    .orderBy(asc(accounts.suspendedUntil))
    .limit(most);
  return rows.map(({ id }) => id);
}
