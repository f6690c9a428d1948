/** Records that a backup is wanted; a worker makes it (apps/provisioner/backups/backup-loop.ts). */
import type { Connection } from "#platform/database.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-row.ts";
import { findOpenBackup, insertBackup, type BackupKind, type BackupRow } from "./backup-store.ts";

/** In the caller's transaction. Of a workspace and kind one is under way at a time: asking again returns that one. */
export async function requestBackup(
  db: Connection,
  workspace: Pick<WorkspaceRow, "id" | "accountId" | "engine" | "observedVersion" | "desiredVersion">,
  kind: BackupKind,
  now: Date,
): Promise<BackupRow> {
  const { id: workspaceId, accountId, engine, observedVersion, desiredVersion } = workspace;
  const wanted = { accountId, workspaceId, kind, engine, engineVersion: observedVersion ?? desiredVersion };
  for (;;) {
    // The one in the way may end between the two statements, and then a new one is made after all.
    const row = (await insertBackup(db, wanted, now)) ?? (await findOpenBackup(db, workspaceId, kind));
    if (row) return row;
  }
}
