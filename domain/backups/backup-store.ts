/** The SQL of backups. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import { backups, planSpecs, subscriptions, workspaces } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { claimRows, isDue, leaseFor } from "#platform/postgres/claim-rows.ts";
import { usualBackupDays } from "./retention.ts";

export type BackupRow = typeof backups.$inferSelect;
export type BackupKind = BackupRow["kind"];

/** PostgreSQL channel: a backup, a restore or an export is due. */
export const backupDue = "backup_due";

/** Three missed renewals, as for workspaces. By the database's clock, which is never moved. */
export const backupLeaseSeconds = 15;
const leaseEnd = leaseFor(backupLeaseSeconds);

export interface NewBackup {
  accountId: string;
  workspaceId: string;
  kind: BackupKind;
  engine: BackupRow["engine"];
  engineVersion: string;
  /** The workspace's generation, if a step makes it. */
  generation?: number;
}

/**
 * A backup for a worker to make; null while another of this workspace and kind is queued or running, which the index `backups_open`
 * decides.
 */
export async function insertBackup(db: Connection, wanted: NewBackup, now: Date): Promise<BackupRow | null> {
  const [row] = await db
    .insert(backups)
    .values({ ...wanted, id: newId(now.getTime()), dueAt: now, createdAt: now })
    .onConflictDoNothing()
    .returning();
  if (row) await announceBackup(db);
  return row ?? null;
}

/** A backup that the caller makes immediately, under a lease. */
export async function insertRunningBackup(db: Connection, wanted: NewBackup, worker: string, now: Date): Promise<BackupRow> {
  const [row] = await db
    .insert(backups)
    .values({
      ...wanted,
      id: newId(now.getTime()),
      state: "running",
      attempts: 1,
      leaseOwner: worker,
      leaseUntil: leaseEnd,
      createdAt: now,
    })
    .returning();
  return row!;
}

/** Notifies every worker that something is due. */
export async function announceBackup(db: Connection): Promise<void> {
  await db.execute(sql`select pg_notify(${backupDue}, '')`);
}

/** Takes at most `most` due backups for `worker`, including those of dead workers; never one it has `inHand`, whatever the clock did. */
export async function claimBackups(
  db: Connection,
  worker: string,
  now: Date,
  most: number,
  inHand: readonly string[] = [],
): Promise<BackupRow[]> {
  return claimRows(db, backups, {
    key: backups.id,
    due: isDue(backups, now, inHand),
    // New ones first: those that failed before may hang again.
    order: [gt(backups.attempts, 0), backups.dueAt],
    most,
    set: { state: "running", leaseOwner: worker, leaseUntil: leaseEnd, attempts: sql`${backups.attempts} + 1` },
  }).returning();
}

/** Keeps the leases of `worker`. */
export async function renewBackups(db: Connection, worker: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await db
      .update(backups)
      .set({ leaseUntil: leaseEnd })
      .where(and(inArray(backups.id, [...ids]), eq(backups.leaseOwner, worker)));
}

export type BackupEnd = Pick<BackupRow, "state"> & Partial<Omit<BackupRow, "id" | "accountId" | "workspaceId">>;

/** Records the outcome, if `worker` still holds it; false otherwise. */
export async function endBackup(db: Connection, id: string, worker: string, end: BackupEnd): Promise<boolean> {
  const ended = await db
    .update(backups)
    .set({ leaseOwner: null, leaseUntil: null, ...end })
    .where(and(eq(backups.id, id), eq(backups.leaseOwner, worker)))
    .returning({ id: backups.id });
  return ended.length > 0;
}

/** Backups begun by a reconcile step whose worker died: no worker continues them. */
export async function listAbandonedBackups(db: Connection): Promise<BackupRow[]> {
  return db
    .select()
    .from(backups)
    .where(and(eq(backups.state, "running"), isNull(backups.dueAt), lt(backups.leaseUntil, sql`clock_timestamp()`)))
    .limit(100);
}

/** Which of these ids, or other names, are backups that a living worker is working on. */
export async function listBackupsInHand(db: Connection, names: readonly string[]): Promise<string[]> {
  const list = sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  );
  const found = await db
    .select({ id: backups.id })
    .from(backups)
    .where(and(sql`${backups.id}::text in (${list})`, eq(backups.state, "running"), gt(backups.leaseUntil, sql`clock_timestamp()`)));
  return found.map(({ id }) => id);
}

/** The account's backups, newest first, from `before` on, including those of removed workspaces. */
export async function listBackups(
  db: Connection,
  accountId: string,
  most: number,
  before?: Pick<BackupRow, "createdAt" | "id">,
): Promise<BackupRow[]> {
  const isOlder =
    before && sql`(${backups.createdAt}, ${backups.id}) < (${before.createdAt.toISOString()}::timestamptz, ${before.id}::uuid)`;
  return db
    .select()
    .from(backups)
    .where(and(eq(backups.accountId, accountId), ne(backups.state, "removed"), isOlder))
    .orderBy(desc(backups.createdAt), desc(backups.id))
    .limit(most);
}

/** Only the account's own, unless it is being removed. */
export async function findBackup(db: Connection, accountId: string, id: string): Promise<BackupRow | null> {
  const [row] = await db
    .select()
    .from(backups)
    .where(and(eq(backups.id, id), eq(backups.accountId, accountId), ne(backups.state, "removed")));
  return row ?? null;
}

/** For callers that have checked the right to it. */
export async function readBackup(db: Connection, id: string): Promise<BackupRow | null> {
  const [row] = await db.select().from(backups).where(eq(backups.id, id));
  return row ?? null;
}

export async function hasBackups(db: Connection, accountId: string): Promise<boolean> {
  const found = await db
    .select({ id: backups.id })
    .from(backups)
    .where(and(eq(backups.accountId, accountId), eq(backups.state, "successful")))
    .limit(1);
  return found.length > 0;
}

/** The newest successful backup of a workspace, of these kinds or any. */
export async function newestBackup(db: Connection, workspaceId: string, kinds?: readonly BackupKind[]): Promise<BackupRow | null> {
  const [row] = await db
    .select()
    .from(backups)
    .where(and(eq(backups.workspaceId, workspaceId), eq(backups.state, "successful"), kinds && inArray(backups.kind, [...kinds])))
    .orderBy(desc(backups.createdAt))
    .limit(1);
  return row ?? null;
}

/** The workspace's backup that was requested and has not ended. */
export async function findOpenBackup(db: Connection, workspaceId: string, kind: BackupKind): Promise<BackupRow | null> {
  const [row] = await db
    .select()
    .from(backups)
    .where(and(eq(backups.workspaceId, workspaceId), eq(backups.kind, kind), inArray(backups.state, ["waiting", "running"])))
    .limit(1);
  return row ?? null;
}

/** Days for which the account's plan keeps backups. */
export async function readBackupDays(db: Connection, accountId: string): Promise<number> {
  const [row] = await db
    .select({ spec: planSpecs.spec })
    .from(subscriptions)
    .innerJoin(planSpecs, eq(planSpecs.id, subscriptions.specId))
    .where(eq(subscriptions.accountId, accountId));
  const days = (row?.spec as { backupDays?: unknown } | undefined)?.backupDays;
  return typeof days === "number" ? days : usualBackupDays;
}

/** Named by an open update or restore: it is needed for the rollback, or about to be put in place. */
const isNeeded = sql`(exists (select 1 from restores r where r.finished_at is null and ${backups.id} in (r.backup_id, r.safety_backup_id))
  or exists (select 1 from workspace_updates u where u.finished_at is null and ${backups.id} in (u.backup_id, u.restore_backup_id)))`;

/**
 * Expired backups, and those with an interrupted removal. The last successful one of an existing workspace stays, and so do those that are
 * needed.
 */
export async function listExpiredBackups(db: Connection, now: Date): Promise<BackupRow[]> {
  const isLast = sql`exists (select 1 from workspaces w where w.id = ${backups.workspaceId} and w.desired_state <> 'deleted')
    and not exists (select 1 from backups newer where newer.workspace_id = ${backups.workspaceId} and newer.state = 'successful' and newer.created_at > ${backups.createdAt})`;
  return db
    .select()
    .from(backups)
    .where(
      and(
        isNotNull(backups.keptUntil),
        sql`${backups.keptUntil} <= ${now.toISOString()}::timestamptz`,
        or(ne(backups.state, "successful"), sql`not (${isLast})`),
        sql`not ${isNeeded}`,
      ),
    )
    .limit(100);
}

/**
 * In the caller's transaction: keeps a successful backup from being removed until the transaction ends, so that a row which names it can be
 * written; that row then keeps it while it is open. Null if there is none (any more).
 */
export async function holdBackup(tx: Connection, id: string): Promise<BackupRow | null> {
  const [row] = await tx
    .select()
    .from(backups)
    .where(and(eq(backups.id, id), eq(backups.state, "successful")))
    .for("share");
  return row ?? null;
}

/** The row, locked until the transaction ends against all that would name it. */
export async function lockBackup(tx: Connection, id: string): Promise<BackupRow | null> {
  const [row] = await tx.select().from(backups).where(eq(backups.id, id)).for("update");
  return row ?? null;
}

/** Whether an open update or restore names it. Reliable only while the row is locked. */
export async function isBackupNeeded(tx: Connection, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: backups.id })
    .from(backups)
    .where(and(eq(backups.id, id), isNeeded));
  return found.length > 0;
}

/** Removes it from every list; its file and then its row follow, by the sweep if necessary. */
export async function markRemoved(tx: Connection, id: string, now: Date): Promise<void> {
  await tx.update(backups).set({ state: "removed", keptUntil: now, downloadHash: null, downloadUntil: null }).where(eq(backups.id, id));
}

/** Deletes the row of a marked backup whose file is gone. */
export async function deleteRemoved(db: Connection, id: string): Promise<void> {
  await db.delete(backups).where(and(eq(backups.id, id), eq(backups.state, "removed")));
}

export interface NightlyCandidate {
  workspaceId: string;
  accountId: string;
  engine: BackupRow["engine"];
  engineVersion: string;
  timezone: string;
  /** When it last had one, or was created. */
  lastAt: Date;
}

/**
 * Begins the nightly backup, unless the workspace had one since, or another process is about to begin it. Two that look at the same moment
 * both see that none was made: the lock on the workspace's row decides between them.
 */
export async function beginNightlyBackup(db: Database, wanted: Omit<NewBackup, "kind">, since: Date, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: workspaces.id })
      .from(workspaces)
      .where(eq(workspaces.id, wanted.workspaceId))
      .for("no key update", { skipLocked: true });
    if (!locked[0]) return false;
    const made = await tx
      .select({ id: backups.id })
      .from(backups)
      .where(and(eq(backups.workspaceId, wanted.workspaceId), eq(backups.kind, "nightly"), gt(backups.createdAt, since)))
      .limit(1);
    return !made[0] && (await insertBackup(tx, { ...wanted, kind: "nightly" }, now)) !== null;
  });
}

/** Online workspaces without a nightly backup since then. */
export async function listNightlyCandidates(db: Connection, since: Date): Promise<NightlyCandidate[]> {
  const last =
    sql<Date | null>`(select max(b.created_at) from backups b where b.workspace_id = ${workspaces.id} and b.kind = 'nightly')`.mapWith(
      (value: string | Date) => new Date(value),
    );
  const rows = await db
    .select({
      workspaceId: workspaces.id,
      accountId: workspaces.accountId,
      engine: workspaces.engine,
      engineVersion: workspaces.observedVersion,
      desiredVersion: workspaces.desiredVersion,
      timezone: workspaces.timezone,
      createdAt: workspaces.createdAt,
      last,
    })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.desiredState, "running"),
        eq(workspaces.observedState, "online"),
        isNotNull(workspaces.ownerSetUpAt),
        sql`not exists (select 1 from backups b where b.workspace_id = ${workspaces.id} and b.kind = 'nightly' and b.created_at > ${since.toISOString()}::timestamptz)`,
      ),
    );
  return rows.map(({ engineVersion, desiredVersion, createdAt, last: lastAt, ...row }) => ({
    ...row,
    engineVersion: engineVersion ?? desiredVersion,
    lastAt: lastAt ?? createdAt,
  }));
}

/** Stores the hash of a new link to this backup, replacing the previous one. */
export async function setDownload(db: Connection, id: string, hash: string, until: Date): Promise<void> {
  await db.update(backups).set({ downloadHash: hash, downloadUntil: until }).where(eq(backups.id, id));
}

/** Uses the link up and returns its backup, once, before it expires. */
export async function takeDownload(db: Connection, hash: string, accountId: string, now: Date): Promise<BackupRow | null> {
  const [row] = await db
    .update(backups)
    .set({ downloadHash: null, downloadUntil: null })
    .where(
      and(
        eq(backups.downloadHash, hash),
        eq(backups.accountId, accountId),
        gt(backups.downloadUntil, now),
        eq(backups.state, "successful"),
      ),
    )
    .returning();
  return row ?? null;
}

/** Whether the workspace has a successful backup of this kind, made by a step for this generation of it. */
export async function hasBackupOf(db: Connection, workspaceId: string, kind: BackupKind, generation: number): Promise<boolean> {
  const found = await db
    .select({ id: backups.id })
    .from(backups)
    .where(
      and(
        eq(backups.workspaceId, workspaceId),
        eq(backups.kind, kind),
        eq(backups.state, "successful"),
        eq(backups.generation, generation),
      ),
    )
    .limit(1);
  return found.length > 0;
}
