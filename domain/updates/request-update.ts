/** Asks for another version of a workspace; a worker brings it about (apps/provisioner/updates/update-version.ts). */
import { and, eq, sql } from "drizzle-orm";
import { accounts, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { holdBackup } from "#domain/backups/backup-store.ts";
import { findOpenRestore } from "#domain/backups/restore-store.ts";
import { announceWorkspace, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { insertUpdate, type UpdateAsker, type UpdateRow } from "./update-store.ts";

export interface WantedUpdate {
  workspaceId: string;
  /** What it runs now; another version by then, and nothing is asked for. */
  fromVersion: string;
  toVersion: string;
  askedBy: UpdateAsker;
  /** To be put in place before the version starts: the way back. */
  restoreBackupId?: string | undefined;
  line: { event: string; message: string; actor?: string };
}

/**
 * In the caller's transaction. Null when the workspace runs another version by now, is not running, or the backup to go back to is gone.
 * Throws UpdateUnderWay while another change of version or a restore has not ended.
 */
export async function requestUpdate(db: Connection, wanted: WantedUpdate, now: Date): Promise<UpdateRow | null> {
  if (wanted.restoreBackupId && !(await holdBackup(db, wanted.restoreBackupId))) return null;
  const changed = await db
    .update(workspaces)
    .set({ desiredVersion: wanted.toVersion, generation: sql`${workspaces.generation} + 1`, failures: 0, reconcileAt: now, updatedAt: now })
    .where(and(eq(workspaces.id, wanted.workspaceId), eq(workspaces.desiredVersion, wanted.fromVersion), eq(workspaces.desiredState, "running")))
    .returning({ accountId: workspaces.accountId });
  if (!changed[0]) return null;
  // Under the lock that the statement above took, and that whoever asks for a restore takes first.
  if (await findOpenRestore(db, wanted.workspaceId)) throw new UpdateUnderWay();
  const { workspaceId, fromVersion, toVersion, askedBy, restoreBackupId } = wanted;
  const row = await insertUpdate(db, { workspaceId, fromVersion, toVersion, askedBy, ...(restoreBackupId && { restoreBackupId }) }, now);
  if (!row) throw new UpdateUnderWay();
  await writeJournal(db, workspaceId, wanted.line, now);
  const [account] = await db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, changed[0].accountId));
  await announceWorkspace(db, workspaceId, account!.name);
  return row;
}

/** Thrown inside the transaction, so that nothing of the second change remains. */
export class UpdateUnderWay extends Error {
  override readonly name = "UpdateUnderWay";
}
