/** The SQL of restores. */
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { restores, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

export type RestoreRow = typeof restores.$inferSelect;

/** Records the wish; null when another restore of the workspace is under way. */
export async function insertRestore(db: Connection, wanted: { workspaceId: string; backupId: string; actor: string }, now: Date): Promise<RestoreRow | null> {
  const [row] = await db
    .insert(restores)
    .values({ ...wanted, id: newId(now.getTime()), createdAt: now })
    .onConflictDoNothing({ target: restores.workspaceId, where: sql`${restores.finishedAt} is null` })
    .returning();
  if (row) await db.update(workspaces).set({ reconcileAt: now, updatedAt: now, failures: 0 }).where(eq(workspaces.id, wanted.workspaceId));
  return row ?? null;
}

/** The one under way, if any. */
export async function findOpenRestore(db: Connection, workspaceId: string): Promise<RestoreRow | null> {
  const [row] = await db.select().from(restores).where(and(eq(restores.workspaceId, workspaceId), isNull(restores.finishedAt)));
  return row ?? null;
}

/** The newest, under way or not. */
export async function newestRestore(db: Connection, workspaceId: string): Promise<RestoreRow | null> {
  const [row] = await db.select().from(restores).where(eq(restores.workspaceId, workspaceId)).orderBy(desc(restores.createdAt)).limit(1);
  return row ?? null;
}

export async function changeRestore(db: Connection, id: string, change: Partial<Pick<RestoreRow, "state" | "reason" | "attempts" | "safetyBackupId" | "finishedAt">>): Promise<void> {
  await db.update(restores).set(change).where(eq(restores.id, id));
}
