/** Requests a backup; a worker makes it (apps/provisioner/backups/backup-loop.ts). */
import type { Connection } from "#platform/database.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { findOpenBackup, type BackupKind, type BackupRow } from "./backup-store.ts";
import { insertBackup } from "./backup-queue.ts";

/** In the caller's transaction. Only one per workspace and kind is under way at a time: another request returns that one. */
export async function requestBackup(
  db: Connection,
  workspace: Pick<WorkspaceRow, "id" | "accountId" | "engine" | "observedVersion" | "desiredVersion">,
  kind: BackupKind,
  now: Date,
): Promise<BackupRow> {
  const { id: workspaceId, accountId, engine, observedVersion, desiredVersion } = workspace;
  const wanted = { accountId, workspaceId, kind, engine, engineVersion: observedVersion ?? desiredVersion };
  for (;;) {
    // The other one may end between the two statements; then a new one is made.
    const row = (await insertBackup(db, wanted, now)) ?? (await findOpenBackup(db, workspaceId, kind));
    if (row) return row;
  }
}
