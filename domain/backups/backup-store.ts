/** The SQL of backups. */
import { and, desc, eq, gt, gte, inArray, lte, ne, sql, type SQL } from "drizzle-orm";
import { backups, planSpecs, subscriptions, workspaces } from "#database/tables.ts";
import { dueNow } from "#domain/workspaces/observed/due-store.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { failedUntil, usualBackupDays } from "./retention.ts";
import { failureReasons } from "./backup-failure.ts";

export type BackupRow = typeof backups.$inferSelect;

export type BackupKind = BackupRow["kind"];

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

/** When the workspace's successful backups that were begun between two moments were made, newest first. */
export async function listMadeBetween(
  db: Connection,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
  { from, to }: { from: Date; to: Date },
  most: number,
): Promise<Date[]> {
  const made = await db
    .select({ at: backups.createdAt })
    .from(backups)
    .where(
      and(
        eq(backups.accountId, accountId),
        gte(backups.createdAt, from),
        lte(backups.createdAt, to),
        eq(backups.workspaceId, workspaceId),
        eq(backups.state, "successful"),
      ),
    )
    .orderBy(desc(backups.createdAt))
    .limit(most);
  return made.map(({ at }) => at);
}

/** Only if it is the account's own and is not being removed. */
export async function findBackup(db: Connection, accountId: string, id: string): Promise<BackupRow | null> {
  const [row] = await db
    .select()
    .from(backups)
    .where(and(eq(backups.id, id), eq(backups.accountId, accountId), ne(backups.state, "removed")));
  return row ?? null;
}

/** For callers that have checked the caller's right to it. */
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

/** Stores the hash of a new link to this backup, replacing the previous one. */
export async function setDownload(db: Connection, id: string, hash: string, until: Date): Promise<void> {
  await db.update(backups).set({ downloadHash: hash, downloadUntil: until }).where(eq(backups.id, id));
}

const isLinkToBackup = (hash: string, accountId: string, now: Date) =>
  and(eq(backups.downloadHash, hash), eq(backups.accountId, accountId), gt(backups.downloadUntil, now), eq(backups.state, "successful"));

/** Whether the link leads to a file of this account now. */
export async function hasDownload(db: Connection, hash: string, accountId: string, now: Date): Promise<boolean> {
  const found = await db
    .select({ id: backups.id })
    .from(backups)
    .where(isLinkToBackup(hash, accountId, now));
  return found.length > 0;
}

/** Uses the link up and returns its backup, once, before it expires. */
export async function takeDownload(db: Connection, hash: string, accountId: string, now: Date): Promise<BackupRow | null> {
  const [row] = await db
    .update(backups)
    .set({ downloadHash: null, downloadUntil: null })
    .where(isLinkToBackup(hash, accountId, now))
    .returning();
  return row ?? null;
}

/**
 * In a query of `workspaces`: whether `backup`, a table's alias, is of the workspace's present life. By time only where no life is recorded:
 * the clock may have been set back since that life began.
 */
export const isOfThisLife = (backup: SQL): SQL =>
  sql`coalesce(${backup}.life = workspaces.life, ${backup}.created_at >= coalesce(workspaces.renewed_at, '-infinity'))`;

/** Whether the workspace has a successful backup of this kind, made by a step for this generation of it. */
export async function hasBackupOf(db: Connection, workspaceId: string, kind: BackupKind, generation: number): Promise<boolean> {
  const found = await db
    .select({ id: backups.id })
    .from(backups)
    .where(and(isOfGeneration(workspaceId, kind, generation), eq(backups.state, "successful")))
    .limit(1);
  return found.length > 0;
}

/** Whether an operator has given up the last backup of this deletion. */
export async function isGivenUp(db: Connection, workspaceId: string, generation: number): Promise<boolean> {
  const found = await db
    .select({ id: backups.id })
    .from(backups)
    .where(and(isOfGeneration(workspaceId, "before-deletion", generation), eq(backups.reason, failureReasons.given_up)))
    .limit(1);
  return found.length > 0;
}

/** Gives up the last backup of the deletion that is under way; the workspace is removed without it. `detail` is for operators. */
export async function giveUpLastBackup(
  tx: Connection,
  { id: workspaceId, accountId, engine, generation, desiredVersion }: WorkspaceRow,
  detail: string,
  now: Date,
): Promise<void> {
  await tx.insert(backups).values({
    id: newId(now.getTime()),
    accountId,
    workspaceId,
    kind: "before-deletion",
    state: "failed",
    engine,
    engineVersion: desiredVersion,
    generation,
    reason: failureReasons.given_up,
    detail,
    keptUntil: failedUntil(now),
    createdAt: now,
    finishedAt: now,
  });
  await tx
    .update(workspaces)
    .set({ failures: 0, ...dueNow(now) })
    .where(eq(workspaces.id, workspaceId));
}

const isOfGeneration = (workspaceId: string, kind: BackupKind, generation: number) =>
  and(eq(backups.workspaceId, workspaceId), eq(backups.kind, kind), eq(backups.generation, generation));
