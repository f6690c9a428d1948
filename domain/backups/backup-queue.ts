/** The SQL of backups to make: what is due, which worker has it, and how it ended. */
import { and, eq, gt, inArray, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { backups, workspaces } from "#database/tables.ts";
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { currentTraceparent } from "#platform/tracing/current-work.ts";
import { claimRows, isDue, leaseFor } from "#platform/postgres/claim-rows.ts";
import { BackupFailure } from "./backup-failure.ts";
import type { BackupRow, BackupKind } from "./backup-store.ts";
import { failedUntil } from "./retention.ts";

/** PostgreSQL channel: a backup, a restore or an export is due. */
export const backupDue = "backup_due";

/** Three missed renewals, as for workspaces. Measured by the database's clock, which is never moved. */
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
  /** The workspace's life for which it was requested; that of its row by default. */
  life?: number;
}

const { life: lifeNow } = workspaces;
/** For an insert: the life of the workspace's row. Null: there is no such workspace. */
export const lifeOf = (workspaceId: string): SQL<number> =>
  sql<number>`(select ${lifeNow} from ${workspaces} where ${workspaces.id} = ${workspaceId})`;

/** Requested for a workspace deleted since. Its row serves the next one, whose contents it must not get. */
const ofEarlierLife = (workspaceId: string) => and(eq(backups.workspaceId, workspaceId), lt(backups.life, lifeOf(workspaceId)));

const nobodys = { dueAt: null, leaseOwner: null, leaseUntil: null };

/**
 * A backup for a worker to make; null while another of this workspace and kind is queued or running, which the index `backups_open`
 * decides.
 */
export async function insertBackup(db: Connection, wanted: NewBackup, now: Date): Promise<BackupRow | null> {
  // One of an earlier life would take its place in the index.
  const gone = new BackupFailure("missing", "the workspace is gone");
  await db
    .update(backups)
    .set({ state: "failed", reason: gone.reason, detail: gone.message, finishedAt: now, keptUntil: failedUntil(now), ...nobodys })
    .where(and(ofEarlierLife(wanted.workspaceId), eq(backups.kind, wanted.kind), inArray(backups.state, ["waiting", "running"])));
  const [row] = await db
    .insert(backups)
    .values({
      life: lifeOf(wanted.workspaceId),
      ...wanted,
      id: newId(now.getTime()),
      dueAt: now,
      traceparent: currentTraceparent(),
      createdAt: now,
    })
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
      life: lifeOf(wanted.workspaceId),
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

/**
 * Claims up to `most` of this host's work, and if there is less, work of workspaces that no longer exist, which have no host: any may finish
 * it. Two statements, so that each can follow the index by host.
 */
export async function claimForHost<Row>(
  table: { host: PgColumn; workspaceId: PgColumn },
  host: string,
  most: number,
  claim: (which: SQL, most: number) => Promise<Row[]>,
): Promise<Row[]> {
  const own = await claim(eq(table.host, host), most);
  if (own.length >= most) return own;
  const isLeftOver = sql`${table.host} is null and not exists (select from workspaces w where w.id = ${table.workspaceId})`;
  return [...own, ...(await claim(isLeftOver, most - own.length))];
}

/**
 * Takes at most `most` due backups of workspaces of `host`, or of none any more, for `worker`, including those of dead workers; never one
 * it has `inHand`, whatever the clock did.
 */
export async function claimBackups(
  db: Connection,
  worker: string,
  now: Date,
  most: number,
  inHand: readonly string[] = [],
  host: string = mainHost,
): Promise<BackupRow[]> {
  return claimForHost(backups, host, most, (which, rest) =>
    claimRows(db, backups, {
      key: backups.id,
      due: and(which, isDue(backups, now, inHand), isAlone(now)),
      // New ones first: those that failed before may hang again. As in the index `backups_due`, which leads to the first of them.
      order: [sql`(${backups.attempts} > 0)`, backups.dueAt],
      most: rest,
      set: { state: "running", leaseOwner: worker, leaseUntil: leaseEnd, attempts: sql`${backups.attempts} + 1` },
    }).returning(),
  );
}

/**
 * No other backup of the workspace is being made, nor due before this one: each begins by removing what the other has the tool copy. With
 * the inner table's name, because a bare column would be its own.
 */
const isAlone = (now: Date): SQL =>
  sql`not exists (select from backups other where other.workspace_id = backups.workspace_id and other.id <> backups.id and (
    (other.state = 'running' and other.lease_until > clock_timestamp())
    or (other.state = 'waiting' and other.due_at <= ${now.toISOString()}::timestamptz and (other.due_at, other.id) < (backups.due_at, backups.id))))`;

/** Keeps the leases of `worker`. */
export async function renewBackups(db: Connection, worker: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await db
      .update(backups)
      .set({ leaseUntil: leaseEnd })
      .where(and(inArray(backups.id, [...ids]), eq(backups.leaseOwner, worker)));
}

type BackupEnd = Pick<BackupRow, "state"> & Partial<Omit<BackupRow, "id" | "accountId" | "workspaceId">>;

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
