/** The SQL of exports. */
import { and, desc, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { exports } from "#database/tables.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { announceBackup, backupLeaseSeconds, claimForHost, lifeOf } from "#domain/backups/backup-queue.ts";
import { nextRemovalAt, removedAtOnce, removedNext } from "#domain/backups/expired-backup-store.ts";
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { claimRows, isDue, leaseFor } from "#platform/postgres/claim-rows.ts";
import { currentTraceparent } from "#platform/tracing/current-work.ts";

export type ExportRow = typeof exports.$inferSelect;

const leaseEnd = leaseFor(backupLeaseSeconds);

interface NewExport {
  accountId: string;
  workspaceId: string;
  /** The workspace's life that its owner saw; that of its row by default. */
  life?: number;
  withCredentials: boolean;
  /** Encrypted. */
  credentialsKey: string | null;
  keptUntil: Date;
}

/** An export for a worker to make (apps/provisioner/exports/export-work.ts). */
export async function insertExport(db: Connection, wanted: NewExport, now: Date): Promise<ExportRow> {
  // One of an earlier life would take its place in the index.
  const gone = new BackupFailure("missing", "the workspace is gone");
  await db
    .update(exports)
    .set({
      state: "failed",
      reason: gone.reason,
      detail: gone.message,
      credentialsKey: null,
      finishedAt: now,
      dueAt: null,
      leaseOwner: null,
      leaseUntil: null,
    })
    .where(and(isOpen(wanted.accountId, wanted.withCredentials), lt(exports.life, lifeOf(wanted.workspaceId))));
  const [row] = await db
    .insert(exports)
    .values({
      life: lifeOf(wanted.workspaceId),
      ...wanted,
      id: newId(now.getTime()),
      dueAt: now,
      traceparent: currentTraceparent(),
      createdAt: now,
    })
    .returning();
  await announceBackup(db);
  return row!;
}

/** Newest first, without those that are to be removed. */
export async function listExports(db: Connection, accountId: string, now: Date, most: number): Promise<ExportRow[]> {
  return db
    .select()
    .from(exports)
    .where(and(eq(exports.accountId, accountId), gt(exports.keptUntil, now)))
    .orderBy(desc(exports.createdAt))
    .limit(most);
}

/** Only the account's own, until its time ends. */
export async function findExport(db: Connection, accountId: string, id: string, now: Date): Promise<ExportRow | null> {
  const [row] = await db
    .select()
    .from(exports)
    .where(and(eq(exports.id, id), eq(exports.accountId, accountId), gt(exports.keptUntil, now)));
  return row ?? null;
}

const isOpen = (accountId: string, withCredentials: boolean) =>
  and(eq(exports.accountId, accountId), eq(exports.withCredentials, withCredentials), inArray(exports.state, ["waiting", "running"]));

/** Under way, with credentials or without, from the workspace as it is now: not from one deleted since. */
export async function findOpenExport(
  db: Connection,
  { accountId, id, life }: { accountId: string; id: string; life: number },
  withCredentials: boolean,
): Promise<ExportRow | null> {
  const [row] = await db
    .select()
    .from(exports)
    .where(and(isOpen(accountId, withCredentials), eq(exports.workspaceId, id), or(isNull(exports.life), eq(exports.life, life))))
    .limit(1);
  return row ?? null;
}

/**
 * Takes at most `most` due exports of workspaces of `host`, or of none any more, for `worker`, including those of dead workers; never one
 * it has `inHand`, whatever the clock did.
 */
export async function claimExports(
  db: Connection,
  worker: string,
  now: Date,
  most: number,
  inHand: readonly string[] = [],
  host: string = mainHost,
): Promise<ExportRow[]> {
  return claimForHost(exports, host, most, (which, rest) =>
    claimRows(db, exports, {
      key: exports.id,
      due: and(which, isDue(exports, now, inHand)),
      // New ones first: those that failed before may hang again. As in the index `exports_due`.
      order: [sql`(${exports.attempts} > 0)`, exports.dueAt],
      most: rest,
      set: { state: "running", leaseOwner: worker, leaseUntil: leaseEnd, attempts: sql`${exports.attempts} + 1` },
    }).returning(),
  );
}

export async function renewExport(db: Connection, worker: string, id: string): Promise<void> {
  await db
    .update(exports)
    .set({ leaseUntil: leaseEnd })
    .where(and(eq(exports.id, id), eq(exports.leaseOwner, worker)));
}

/** How many workflows the file has so far; nothing if `worker` no longer makes it. */
export async function noteProgress(db: Connection, worker: string, id: string, workflows: number): Promise<void> {
  await db
    .update(exports)
    .set({ workflows })
    .where(and(eq(exports.id, id), eq(exports.leaseOwner, worker)));
}

/** Records the outcome, if `worker` still holds it; false otherwise. */
export async function endExport(db: Connection, id: string, worker: string, end: Partial<ExportRow>): Promise<boolean> {
  const ended = await db
    .update(exports)
    .set({ leaseOwner: null, leaseUntil: null, ...end })
    .where(and(eq(exports.id, id), eq(exports.leaseOwner, worker)))
    .returning({ id: exports.id });
  return ended.length > 0;
}

/** Takes expired exports to remove, longest waiting first. Each waits before the next attempt, so that those that fail stop no others. */
export async function claimExpiredExports(db: Connection, now: Date): Promise<Pick<ExportRow, "id">[]> {
  const waitsSince = sql`greatest(${exports.keptUntil}, ${exports.removalDueAt})`;
  return claimRows(db, exports, {
    key: exports.id,
    due: sql`${waitsSince} <= ${now.toISOString()}::timestamptz`,
    order: [waitsSince],
    most: removedAtOnce,
    set: { removalAttempts: sql`${exports.removalAttempts} + 1`, removalDueAt: nextRemovalAt(exports.removalAttempts, now) },
  }).returning({ id: exports.id });
}

/** Why an expired export could not be removed. */
export async function noteExportStays(db: Connection, id: string, error: string): Promise<void> {
  await db
    .update(exports)
    .set({ removalError: error.slice(0, 500) })
    .where(eq(exports.id, id));
}

/**
 * Ends its time, and its download link; false if it is still being made, or its time has ended already. Its file is removed next, or by the
 * sweep. Its time ends long ago, so that it stays ended whichever clock is asked.
 */
export async function expireExport(db: Connection, id: string, now: Date): Promise<boolean> {
  const expired = await db
    .update(exports)
    .set({ keptUntil: new Date(0), downloadHash: null, downloadUntil: null, ...removedNext })
    .where(and(eq(exports.id, id), inArray(exports.state, ["ready", "failed"]), gt(exports.keptUntil, now)))
    .returning({ id: exports.id });
  return expired.length > 0;
}

/** The same for all exports of an account that are made or failed. */
export async function expireExportsOf(db: Connection, accountId: string): Promise<void> {
  await db
    .update(exports)
    .set({ keptUntil: new Date(0), downloadHash: null, downloadUntil: null, ...removedNext })
    .where(and(eq(exports.accountId, accountId), inArray(exports.state, ["ready", "failed"])));
}

export async function deleteExport(db: Connection, id: string): Promise<void> {
  await db.delete(exports).where(eq(exports.id, id));
}

/** Whether there still is such an export, in whatever state. */
export async function hasExport(db: Connection, id: string): Promise<boolean> {
  return (await db.select({ id: exports.id }).from(exports).where(eq(exports.id, id))).length > 0;
}

/** Keeps an export that can be downloaded from being deleted until the transaction ends; false if there is none. */
export async function holdReadyExport(tx: Connection, id: string, now: Date): Promise<boolean> {
  const held = await tx
    .select({ id: exports.id })
    .from(exports)
    .where(and(eq(exports.id, id), eq(exports.state, "ready"), gt(exports.keptUntil, now)))
    .for("update");
  return held.length > 0;
}

export async function setExportDownload(db: Connection, id: string, hash: string, until: Date): Promise<void> {
  await db.update(exports).set({ downloadHash: hash, downloadUntil: until }).where(eq(exports.id, id));
}

const isLinkToExport = (hash: string, accountId: string, now: Date) =>
  and(
    eq(exports.downloadHash, hash),
    eq(exports.accountId, accountId),
    gt(exports.downloadUntil, now),
    gt(exports.keptUntil, now),
    eq(exports.state, "ready"),
  );

/** Whether the link leads to a file of this account now. */
export async function hasExportDownload(db: Connection, hash: string, accountId: string, now: Date): Promise<boolean> {
  const found = await db
    .select({ id: exports.id })
    .from(exports)
    .where(isLinkToExport(hash, accountId, now));
  return found.length > 0;
}

/** Uses the link up and returns its export, once, before it expires. */
export async function takeExportDownload(db: Connection, hash: string, accountId: string, now: Date): Promise<ExportRow | null> {
  const [row] = await db
    .update(exports)
    .set({ downloadHash: null, downloadUntil: null })
    .where(isLinkToExport(hash, accountId, now))
    .returning();
  return row ?? null;
}

export const storedExport = (id: string): string => `exports/${id}`;
