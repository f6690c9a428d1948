/** What a suspension or the closing of its account does to a workspace, and what it becomes afterwards. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { writeJournal, type JournalLine, type WorkspaceRow } from "../workspace-store.ts";
import { requestDeletion } from "./renew-workspace.ts";
import { setDesiredState } from "./set-desired-state.ts";

/**
 * Stops the account's workspace, if there is one, and remembers what it was. In the transaction that suspends the account, which has locked
 * it and not written it yet. One that is held already stays as it is.
 */
export async function holdWorkspace(tx: Connection, accountId: string, line: JournalLine, now: Date): Promise<void> {
  const isStopped = await setDesiredState(tx, accountId, "stopped", line, now);
  await tx
    .update(workspaces)
    .set({ resumesAs: isStopped ? "running" : sql`${workspaces.desiredState}` })
    .where(and(eq(workspaces.accountId, accountId), isNull(workspaces.resumesAs)));
}

/**
 * Deletes the account's workspace, if there is one, after a last backup like each deletion, and remembers what it was. In the transaction
 * that closes the account, which has locked it.
 */
export async function deleteHeldWorkspace(tx: Connection, accountId: string, line: JournalLine, now: Date): Promise<void> {
  const [before] = await tx.select().from(workspaces).where(eq(workspaces.accountId, accountId)).for("update");
  if (!before) return;
  const deleted = await requestDeletion(tx, accountId, now);
  // What a suspension remembered is still what it was.
  await tx
    .update(workspaces)
    .set({ resumesAs: before.resumesAs ?? before.desiredState })
    .where(eq(workspaces.id, before.id));
  if (deleted) await writeJournal(tx, before.id, line, now);
}

/** Holds it no longer, and returns it with what it is to become, in the transaction in which nothing holds the account any more. Null: there is none. */
export async function releaseWorkspace(tx: Connection, accountId: string): Promise<WorkspaceRow | null> {
  const [held] = await tx.select().from(workspaces).where(eq(workspaces.accountId, accountId)).for("update");
  if (!held) return null;
  await tx.update(workspaces).set({ resumesAs: null }).where(eq(workspaces.id, held.id));
  return held;
}
