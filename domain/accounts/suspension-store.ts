/** The SQL of suspensions, which keep an account's workspace stopped, and of the question what holds an account: closing-store.ts does, too. */
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
 * What keeps the account's workspace from running: it is closed, or suspended; null: nothing. The answer stays true until the transaction
 * ends: it holds the account's row, for whose change a suspension and a closing wait.
 */
export async function whatHolds(tx: Connection, accountId: string): Promise<"closed" | "suspended" | null> {
  const [row] = await tx
    .select({ suspendedAt: accounts.suspendedAt, closedAt: accounts.closedAt })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("share");
  if (row?.closedAt) return "closed";
  return row?.suspendedAt ? "suspended" : null;
}

/** Throws AppError `account_closed` or `account_suspended`; like `whatHolds` for everything else. */
export async function refuseHeld(tx: Connection, accountId: string): Promise<void> {
  const what = await whatHolds(tx, accountId);
  if (what) throw new AppError(`account_${what}`);
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
