/** The SQL of backups to be removed: which ones have expired, what still needs them, and their removal. */
import { and, eq, gt, isNotNull, isNull, lte, ne, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { accounts, backups } from "#database/tables.ts";
import { after, dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { claimRows } from "#platform/postgres/claim-rows.ts";
import type { BackupRow } from "./backup-store.ts";

/**
 * Referenced by an open update or restore, or by a workspace that is moving: it is needed for a rollback, or is about to be put in place.
 */
const isNeeded = sql`(exists (select 1 from restores r where r.finished_at is null and ${backups.id} in (r.backup_id, r.safety_backup_id))
  or exists (select 1 from workspace_updates u where u.finished_at is null and ${backups.id} in (u.backup_id, u.restore_backup_id))
  or exists (select 1 from workspaces moving where moving.id = ${backups.workspaceId} and moving.arriving = ${backups.id}))`;

/** The last successful one of a workspace that exists. */
const isLast = sql`(exists (select 1 from workspaces w where w.id = ${backups.workspaceId} and w.desired_state <> 'deleted')
    and not exists (select 1 from backups newer where newer.workspace_id = ${backups.workspaceId} and newer.state = 'successful' and newer.created_at > ${backups.createdAt}))`;
const staysAsLast = and(eq(backups.state, "successful"), isLast)!;

/** Of one sweep: each is a call to the storage. */
export const removedAtOnce = 100;
const longestRemovalPauseMs = dayMs;
/** How long a last one is left alone. */
const staysForMs = hourMs;
/** How many expired backups a sweep looks at: the last ones of stopped workspaces are among them for a long time. */
const lookedAtOnce = 1_000;

/** When to try again to remove what could not be removed: after 5 minutes, then twice as long each time, up to a day. */
export const nextRemovalAt = (attempts: PgColumn, now: Date): SQL =>
  sql`${now.toISOString()}::timestamptz + make_interval(secs => least(${(5 * minuteMs) / secondMs} * 2 ^ least(${attempts}, 20), ${longestRemovalPauseMs / secondMs}))`;

/** For a copy that expires now: an earlier pause, of an attempt or of a last backup, does not delay it. */
export const removedNext = { removalAttempts: 0, removalDueAt: null };

/** As in the index `backups_kept`. */
const waitsSince = sql`greatest(${backups.keptUntil}, ${backups.removalDueAt})`;
const isExpired = (now: Date): SQL =>
  sql`${backups.id} = any(array(
    select id from backups where kept_until is not null and greatest(kept_until, removal_due_at) <= ${now.toISOString()}::timestamptz
    order by greatest(kept_until, removal_due_at) limit ${lookedAtOnce}))`;

/**
 * Takes expired backups to remove, and those with an interrupted removal, longest waiting first. Each waits before the next attempt, so that
 * those that cannot be removed stop no others. The last successful one of an existing workspace stays, and so do those that are needed.
 */
export async function claimExpiredBackups(db: Connection, now: Date): Promise<Pick<BackupRow, "id">[]> {
  return claimRows(db, backups, {
    key: backups.id,
    due: and(isExpired(now), sql`not (${staysAsLast})`, sql`not ${isNeeded}`),
    order: [waitsSince],
    most: removedAtOnce,
    set: { removalAttempts: sql`${backups.removalAttempts} + 1`, removalDueAt: nextRemovalAt(backups.removalAttempts, now) },
  }).returning({ id: backups.id });
}

/** Leaves expired backups that are a workspace's last alone for an hour, so that not each sweep reads those of all stopped workspaces. */
export async function putOffStaying(db: Connection, now: Date): Promise<void> {
  await claimRows(db, backups, {
    key: backups.id,
    due: and(isExpired(now), staysAsLast),
    order: [waitsSince],
    set: { removalDueAt: after(now, staysForMs) },
  });
}

/** Why an expired backup could not be removed. */
export async function noteBackupStays(db: Connection, id: string, error: string): Promise<void> {
  await db
    .update(backups)
    .set({ removalError: error.slice(0, 500) })
    .where(eq(backups.id, id));
}

/** Backups of closed accounts that can't be reopened any more expire, however long they were to be kept. */
export async function expireOfClosed(db: Connection, now: Date): Promise<void> {
  const over = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isNotNull(accounts.eraseAt), isNull(accounts.erasedAt), lte(accounts.eraseAt, now)));
  await db
    .update(backups)
    .set({ keptUntil: now, ...removedNext })
    .where(and(sql`${backups.accountId} in ${over}`, gt(backups.keptUntil, now)));
}

/**
 * In the caller's transaction: keeps a successful backup from being removed until the transaction ends, so that a row which names it can be
 * written; that row then keeps it while it is open. Null if it does not, or no longer, exist.
 */
export async function holdBackup(tx: Connection, id: string): Promise<BackupRow | null> {
  const [row] = await tx
    .select()
    .from(backups)
    .where(and(eq(backups.id, id), eq(backups.state, "successful")))
    .for("share");
  return row ?? null;
}

/** The row, locked until the transaction ends, so that no other transaction can reference it. */
export async function lockBackup(tx: Connection, id: string): Promise<BackupRow | null> {
  const [row] = await tx.select().from(backups).where(eq(backups.id, id)).for("update");
  return row ?? null;
}

/** Whether an open update or restore, or a workspace that is moving, references it. Reliable only while the row is locked. */
export async function isBackupNeeded(tx: Connection, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: backups.id })
    .from(backups)
    .where(and(eq(backups.id, id), isNeeded));
  return found.length > 0;
}

/** Keeps a backup until then, unless it is kept for longer: it contains the last data of a workspace. False if it is gone. */
export async function keepAtLeast(db: Connection, id: string, until: Date): Promise<boolean> {
  const kept = await db
    .update(backups)
    .set({ keptUntil: sql`greatest(${backups.keptUntil}, ${until.toISOString()}::timestamptz)` })
    .where(and(eq(backups.id, id), eq(backups.state, "successful")))
    .returning({ id: backups.id });
  return kept.length > 0;
}

/** Removes it from every list; its file and then its row follow, by the sweep if necessary. */
export async function markRemoved(tx: Connection, id: string, now: Date): Promise<void> {
  await tx
    .update(backups)
    .set({ state: "removed", keptUntil: now, downloadHash: null, downloadUntil: null, ...removedNext })
    .where(eq(backups.id, id));
}

/** Deletes the row of a marked backup whose file is gone. */
export async function deleteRemoved(db: Connection, id: string): Promise<void> {
  await db.delete(backups).where(and(eq(backups.id, id), eq(backups.state, "removed")));
}

/** Forgets the copies that failed attempts of this kind left before this one, and returns them, for their removal from the storage. */
export async function takeEarlierCopies(
  db: Connection,
  { id, workspaceId, kind }: Pick<BackupRow, "id" | "workspaceId" | "kind">,
): Promise<Pick<BackupRow, "id" | "storedAs">[]> {
  return db
    .update(backups)
    .set({ sha256: null, size: null })
    .where(
      and(
        eq(backups.workspaceId, workspaceId),
        eq(backups.kind, kind),
        eq(backups.state, "failed"),
        isNotNull(backups.sha256),
        ne(backups.id, id),
      ),
    )
    .returning({ id: backups.id, storedAs: backups.storedAs });
}
