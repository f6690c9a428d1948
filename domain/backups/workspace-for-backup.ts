/** What a backup must know of its workspace. */
import { and, eq, ne } from "drizzle-orm";
import { accounts, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/** Null once nothing of the workspace is left. */
export async function readForBackup(db: Connection, workspaceId: string) {
  const [row] = await db
    .select({
      id: workspaces.id,
      number: workspaces.number,
      accountId: workspaces.accountId,
      accountName: accounts.name,
      engine: workspaces.engine,
      observedVersion: workspaces.observedVersion,
      desiredVersion: workspaces.desiredVersion,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(and(eq(workspaces.id, workspaceId), ne(workspaces.observedState, "deleted")));
  return row ?? null;
}
