/** What a backup needs to know about its workspace. */
import { and, eq, ne, sql } from "drizzle-orm";
import { accounts, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/**
 * Null once the workspace is removed, also if another one has taken its row since: `life` is the one for which the backup or export was
 * requested, null if it was not recorded.
 */
export async function readForBackup(db: Connection, { workspaceId, life }: { workspaceId: string; life: number | null }) {
  const [row] = await db
    .select({
      id: workspaces.id,
      number: workspaces.number,
      accountId: workspaces.accountId,
      accountName: accounts.name,
      engine: workspaces.engine,
      observedVersion: workspaces.observedVersion,
      desiredVersion: workspaces.desiredVersion,
      generation: workspaces.generation,
      /**
       * Its files may be of another version than the recorded one: a new version is or was running on them, or an older backup was put in
       * place. Or they are not there yet.
       */
      isMigrating: sql<boolean>`${workspaces.arriving} is not null or exists (select 1 from workspace_updates u where u.workspace_id = ${workspaces.id} and u.finished_at is null and u.snapshot_at is not null)
        or exists (select 1 from restores r where r.workspace_id = ${workspaces.id} and r.finished_at is null and r.attempts > 0)`,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(
      and(eq(workspaces.id, workspaceId), life === null ? undefined : eq(workspaces.life, life), ne(workspaces.observedState, "deleted")),
    );
  return row ?? null;
}
