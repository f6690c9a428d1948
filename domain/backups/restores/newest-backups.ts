/** The newest backup of each workspace, for restoring all of them after their server was lost. */
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { accounts, backups, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

export interface NewestBackup {
  accountId: string;
  accountName: string;
  /** Null: the workspace has none that was successful. */
  backup: { id: string; createdAt: Date } | null;
}

/**
 * Of every workspace that should run and has no restore under way, by account name. A backup from before a restore comes last: it has what
 * its owner wanted to replace.
 */
export async function listNewestBackups(db: Connection): Promise<NewestBackup[]> {
  const newest = db
    .selectDistinctOn([backups.workspaceId], { id: backups.id, workspaceId: backups.workspaceId, createdAt: backups.createdAt })
    .from(backups)
    .where(eq(backups.state, "successful"))
    .orderBy(backups.workspaceId, sql`${backups.kind} = 'before-restore'`, desc(backups.createdAt))
    .as("newest");
  const rows = await db
    .select({ accountId: accounts.id, accountName: accounts.name, id: newest.id, createdAt: newest.createdAt })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .leftJoin(newest, eq(newest.workspaceId, workspaces.id))
    .where(
      and(
        eq(workspaces.desiredState, "running"),
        sql`not exists (select from restores r where r.workspace_id = ${workspaces.id} and r.finished_at is null)`,
      ),
    )
    .orderBy(asc(accounts.name));
  return rows.map(({ accountId, accountName, id, createdAt }) => ({
    accountId,
    accountName,
    backup: id !== null && createdAt !== null ? { id, createdAt } : null,
  }));
}
