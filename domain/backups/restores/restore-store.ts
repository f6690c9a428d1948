/** The SQL of restores. */
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { restores, workspaces } from "#database/tables.ts";
import { dueNow } from "#domain/workspaces/observed/due-store.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

export type RestoreRow = typeof restores.$inferSelect;

/** Excludes a workspace that was deleted since, whose row serves the next one. */
const isOfThisWorkspace = sql`${restores.life} = (select w.life from workspaces w where w.id = ${restores.workspaceId})`;

/** Requests a restore; null while another restore of the workspace is under way. */
export async function insertRestore(
  db: Connection,
  wanted: { workspaceId: string; backupId: string; actor: string },
  now: Date,
): Promise<RestoreRow | null> {
  const life = sql<number>`(select ${workspaces.life} from ${workspaces} where ${workspaces.id} = ${wanted.workspaceId})`;
  const [row] = await db
    .insert(restores)
    .values({ ...wanted, id: newId(now.getTime()), life, createdAt: now })
    .onConflictDoNothing({ target: restores.workspaceId, where: sql`${restores.finishedAt} is null` })
    .returning();
  if (row)
    await db
      .update(workspaces)
      .set({ ...dueNow(now), failures: 0 })
      .where(eq(workspaces.id, wanted.workspaceId));
  return row ?? null;
}

/** The one under way, if any. */
export async function findOpenRestore(db: Connection, workspaceId: string): Promise<RestoreRow | null> {
  const [row] = await db
    .select()
    .from(restores)
    .where(and(eq(restores.workspaceId, workspaceId), isNull(restores.finishedAt), isOfThisWorkspace));
  return row ?? null;
}

/** The newest, under way or not; never one of a workspace deleted since. */
export async function newestRestore(db: Connection, workspaceId: string): Promise<RestoreRow | null> {
  const [row] = await db
    .select()
    .from(restores)
    .where(and(eq(restores.workspaceId, workspaceId), isOfThisWorkspace))
    .orderBy(desc(restores.createdAt))
    .limit(1);
  return row ?? null;
}

/** Changes an open restore. Throws ChangeClosed if it has ended: the workspace was stopped or deleted. */
export async function changeRestore(
  db: Connection,
  id: string,
  change: Partial<Pick<RestoreRow, "state" | "reason" | "attempts" | "safetyBackupId" | "placedAt" | "finishedAt">>,
): Promise<void> {
  const changed = await db
    .update(restores)
    .set(change)
    .where(and(eq(restores.id, id), isNull(restores.finishedAt)))
    .returning({ id: restores.id });
  if (changed.length === 0) throw new ChangeClosed(id);
}
