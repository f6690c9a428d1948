/** What becomes of an account's workspace when its subscription begins, pauses or ends; the provisioner makes it so. */
import { and, eq, ne, sql } from "drizzle-orm";
import { accounts, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { announceWorkspace, writeJournal } from "./workspace-store.ts";
import type { WorkspaceRow } from "./workspace-row.ts";

/** A workspace that was deleted begins anew: nobody owns it yet, and nothing was passed to it. */
const anew = { ownerSetUpAt: null, ownerPassed: null, profilePassedAt: null } as const;

/** In the caller's transaction. False where there is no workspace, or where that is wanted already. */
export async function wantWorkspace(db: Connection, accountId: string, wanted: WorkspaceRow["desiredState"], line: { event: string; message: string }, now: Date): Promise<boolean> {
  const found = await db
    .update(workspaces)
    .set({
      desiredState: wanted,
      generation: sql`${workspaces.generation} + 1`,
      failures: 0,
      reconcileAt: now,
      updatedAt: now,
      ...(wanted === "deleted" ? anew : {}),
    })
    .where(and(eq(workspaces.accountId, accountId), ne(workspaces.desiredState, wanted)))
    .returning({ id: workspaces.id });
  if (!found[0]) return false;
  await writeJournal(db, found[0].id, line, now);
  const named = await db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId));
  await announceWorkspace(db, found[0].id, named[0]!.name);
  return true;
}

/** The memory of the account's workspace from its next start on. */
export async function setWorkspaceMemory(db: Connection, accountId: string, memoryMb: number): Promise<void> {
  await db.update(workspaces).set({ memoryMb }).where(and(eq(workspaces.accountId, accountId), ne(workspaces.memoryMb, memoryMb)));
}
