/** Requests another version of a workspace; a worker makes the change (apps/provisioner/updates/update-version.ts). */
import { eq, sql } from "drizzle-orm";
import { accounts, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { holdBackup } from "#domain/backups/expired-backup-store.ts";
import { dueNow } from "#domain/workspaces/observed/due-store.ts";
import { beginStory, StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { announceWorkspace, writeJournal, type JournalLine } from "#domain/workspaces/workspace-store.ts";
import { insertUpdate, type UpdateAsker, type UpdateRow } from "./update-store.ts";

export interface WantedUpdate {
  workspaceId: string;
  /** The version it runs now; if that changes first, nothing is requested. */
  fromVersion: string;
  toVersion: string;
  askedBy: UpdateAsker;
  /** To be restored before the version starts, for a rollback. */
  restoreBackupId?: string | undefined;
  line: JournalLine;
}

/**
 * In the caller's transaction. Null if the workspace now runs another version, is not running, or the backup for the rollback is
 * gone. Throws StoryInTheWay while another change of version or a restore is open, or a version was chosen that no worker has begun with:
 * history would name a version that never ran.
 */
export async function requestUpdate(db: Connection, wanted: WantedUpdate, now: Date): Promise<UpdateRow | null> {
  if (wanted.restoreBackupId && !(await holdBackup(db, wanted.restoreBackupId))) return null;
  const { desiredVersion, desiredState, observedVersion } = await beginStory(db, wanted.workspaceId, "update", now);
  if (desiredVersion !== wanted.fromVersion || desiredState !== "running") return null;
  if (observedVersion !== null && observedVersion !== desiredVersion) throw new StoryInTheWay("update", "update");
  const changed = await db
    .update(workspaces)
    .set({ desiredVersion: wanted.toVersion, generation: sql`${workspaces.generation} + 1`, failures: 0, ...dueNow(now) })
    .where(eq(workspaces.id, wanted.workspaceId))
    .returning({ accountId: workspaces.accountId });
  const { workspaceId, fromVersion, toVersion, askedBy, restoreBackupId } = wanted;
  const row = await insertUpdate(db, { workspaceId, fromVersion, toVersion, askedBy, ...(restoreBackupId && { restoreBackupId }) }, now);
  if (!row) throw new StoryInTheWay("update", "update");
  await writeJournal(db, workspaceId, wanted.line, now);
  const [account] = await db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, changed[0]!.accountId));
  await announceWorkspace(db, workspaceId, account!.name);
  return row;
}
