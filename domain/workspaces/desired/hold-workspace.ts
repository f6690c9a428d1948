/** What a suspension of its account does to a workspace, and what it becomes afterwards. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { JournalLine, WorkspaceRow } from "../workspace-store.ts";
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

/** Holds it no longer, and returns it with what it is to become, in the transaction that has ended the suspension. Null: there is none. */
export async function releaseWorkspace(tx: Connection, accountId: string): Promise<WorkspaceRow | null> {
  const [held] = await tx.select().from(workspaces).where(eq(workspaces.accountId, accountId)).for("update");
  if (!held) return null;
  await tx.update(workspaces).set({ resumesAs: null }).where(eq(workspaces.id, held.id));
  return held;
}
